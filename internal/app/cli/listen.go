package cli

import (
	"errors"
	"net"
	"slices"
	"strconv"
	"syscall"

	"vademecum/internal/base/message"
)

// Errors of the system when a server opens its address. The numbers are those of Windows (winsock2.h),
// which Go does not map to the POSIX names.
var (
	addressInUse   = []syscall.Errno{syscall.EADDRINUSE, 10048}
	foreignAddress = []syscall.Errno{syscall.EADDRNOTAVAIL, 10049}
	reservedPort   = []syscall.Errno{syscall.EACCES, 10013}
)

// listenAt listens at an address. If the cause of an error is known, the error has a hint.
func listenAt(address string) (net.Listener, error) {
	on, err := net.Listen("tcp", address)
	if err == nil {
		return on, nil
	}
	var number syscall.Errno
	errors.As(err, &number)
	switch another := message.New("choose another port: --http %s", freePort(address)); {
	case slices.Contains(addressInUse, number):
		return nil, usageError{message.Errorf("another program already uses %s", address), another}
	case slices.Contains(foreignAddress, number):
		return nil, usageError{message.Errorf("%s is not an address of this machine", address), message.New("a port alone, such as 8080, means this machine")}
	case slices.Contains(reservedPort, number):
		return nil, usageError{message.Errorf("the system reserves %s for others", address), another}
	}
	return nil, message.Errorf("listen at %s: %v", address, err)
}

// fewPorts is the maximum number of ports that are tried to find a free one.
const fewPorts = 20

// freePort returns an address with the first free port after that of the given address; if fewPorts
// ports are in use, with the next port.
func freePort(address string) string {
	next := nextPort(address)
	for tried, i := next, 0; i < fewPorts; tried, i = nextPort(tried), i+1 {
		if on, err := net.Listen("tcp", tried); err == nil {
			on.Close()
			return tried
		}
	}
	return next
}

// nextPort returns an address with the next port, or defaultAddress if the port is privileged or
// the last one.
func nextPort(address string) string {
	host, port, _ := net.SplitHostPort(address)
	number, err := strconv.Atoi(port)
	if err != nil || number < 1024 || number == 65535 {
		return defaultAddress
	}
	return net.JoinHostPort(host, strconv.Itoa(number+1))
}
