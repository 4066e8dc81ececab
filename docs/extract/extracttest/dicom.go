package extracttest

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// DICOMReport returns a structured report with the given elements, in explicit little endian.
func DICOMReport(elements ...string) []byte {
	return DICOM("1.2.840.10008.5.1.4.1.1.88.11", "1.2.840.10008.1.2.1", strings.Join(elements, ""))
}

// DICOM returns a file of the given class. elements must be encoded in the transfer syntax syntax.
func DICOM(class, transferSyntax, elements string) []byte {
	meta := DICOMElement(0x00020002, "UI", class) + DICOMElement(0x00020010, "UI", transferSyntax)
	return []byte(strings.Repeat("\x00", 128) + "DICM" + meta + elements)
}

// DICOMElement returns an element of type kind. Its value is padded to an even length.
func DICOMElement(tag uint32, kind, value string) string {
	if len(value)%2 != 0 {
		value += " "
	}
	head := binary.LittleEndian.AppendUint16(nil, uint16(tag>>16))
	head = append(binary.LittleEndian.AppendUint16(head, uint16(tag)), kind...)
	if kind == "UT" || kind == "SQ" || kind == "UN" || kind == "OB" {
		return string(binary.LittleEndian.AppendUint32(append(head, 0, 0), uint32(len(value)))) + value
	}
	return string(binary.LittleEndian.AppendUint16(head, uint16(len(value)))) + value
}

// DICOMSequence returns a sequence of items. Each item is a concatenation of elements.
func DICOMSequence(tag uint32, items ...string) string {
	var all strings.Builder
	for _, item := range items {
		all.WriteString("\xFE\xFF\x00\xE0" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(item)))) + item)
	}
	return DICOMElement(tag, "SQ", all.String())
}

// DICOMConcept returns a sequence that contains a code with the given meaning.
func DICOMConcept(tag uint32, meaning string) string {
	return DICOMSequence(tag, DICOMElement(0x00080100, "SH", fmt.Sprint("C-", len(meaning)))+DICOMElement(0x00080104, "LO", meaning))
}

// DICOMItem returns an item of a report, given its relationship to its parent, its type, the name
// of its concept and its elements.
func DICOMItem(relation, kind, name string, elements ...string) string {
	return DICOMElement(0x0040A010, "CS", relation) + DICOMElement(0x0040A040, "CS", kind) + DICOMConcept(0x0040A043, name) + strings.Join(elements, "")
}
