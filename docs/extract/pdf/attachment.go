package pdf

import (
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract/markdown"
)

// maxAttachments is the maximum number of attached files whose names are read from a PDF.
const maxAttachments = 1000

// attachmentNames returns the names of the files embedded in the PDF (ISO 32000-1, 7.11.4).
func (d *file) attachmentNames() (names []string) {
	count, err := d.instance.FPDFDoc_GetAttachmentCount(&requests.FPDFDoc_GetAttachmentCount{Document: d.document})
	if err != nil {
		return nil
	}
	for i := range min(count.AttachmentCount, maxAttachments) {
		attached, err := d.instance.FPDFDoc_GetAttachment(&requests.FPDFDoc_GetAttachment{Document: d.document, Index: i})
		if err != nil {
			continue
		}
		if name := d.attachmentName(attached.Attachment); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (d *file) attachmentName(a references.FPDF_ATTACHMENT) string {
	name, err := d.instance.FPDFAttachment_GetName(&requests.FPDFAttachment_GetName{Attachment: a})
	if err != nil {
		return ""
	}
	return markdown.OneLine(cleanMetadata(name.Name))
}
