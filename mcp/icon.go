package mcp

import (
	_ "embed" // for the icon
	"encoding/base64"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// iconPNG is the icon of the program (internal/app/web/page/assets/icon.svg) at 48 × 48 pixels.
//
//go:embed icon.png
var iconPNG []byte

// icons returns the icon for hosts that show one beside the name of the server. Tools have none,
// which keeps their list short.
func icons() []mcp.Icon {
	return []mcp.Icon{{Source: "data:image/png;base64," + base64.StdEncoding.EncodeToString(iconPNG), MIMEType: "image/png", Sizes: []string{"48x48"}}}
}
