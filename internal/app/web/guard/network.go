package guard

import "net/netip"

// unknownNetwork is the network of invalid addresses.
const unknownNetwork = "unknown"

// NetworkOf returns the key by which limits identify an address, which may have a port: an IPv4
// address itself, or the /64 network of an IPv6 address, because one machine may use all addresses
// of that network.
func NetworkOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		with, err := netip.ParseAddrPort(address)
		if err != nil {
			return unknownNetwork
		}
		ip = with.Addr()
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() || ip.IsLoopback() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}
