package mcp

import (
	_ "embed" // for the picture
	"encoding/base64"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// iconPNG is that of the page (internal/app/web/page/assets/icon.svg) in 48 × 48 pixels.
//
//go:embed icon.png
var iconPNG []byte

// icons are for hosts that draw them beside the name of the server. Tools have none: their
// list stays as short as it can be.
func icons() []mcp.Icon {
	return []mcp.Icon{{Source: "data:image/png;base64," + base64.StdEncoding.EncodeToString(iconPNG), MIMEType: "image/png", Sizes: []string{"48x48"}}}
}
