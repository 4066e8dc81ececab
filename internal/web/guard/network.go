package guard

import "net/netip"

// unknownNetwork is the network of all addresses that are none.
const unknownNetwork = "unknown"

// NetworkOf is what an address, which may have a port, is counted by: itself, or with
// IPv6 the network that it is in, since one machine has all addresses of that.
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
