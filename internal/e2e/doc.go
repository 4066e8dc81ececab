// Package e2e tests the whole program as its users have it: it runs commands and servers
// as processes of their own, on folders that it generates, edits and damages, and checks
// what they print, answer, send and leave behind. It has only tests, so nothing imports
// it.
//
// The test binary is the program too: TestMain in main_test.go calls what main calls. The
// first word of a file's name is the subject of its tests:
//
//	program_   commands, the sample questions, real documents, the terminal
//	protocol_  messages, subscriptions and arguments of MCP
//	servers_   one server or several on a folder: their end, death, stops, load
//	folder_    what happens to a folder while it is served
//	index_     what happens to the index file and the place where it lies
//	provider_  embeddings of other services, their faults, and that nobody is
//	           asked unasked
//	kit_       what the tests are made with: the two MCP clients (host, which
//	           goes line by line, and client, which asks several things at once),
//	           the editor of a folder, the embedding provider, the crew of servers,
//	           the terminal, the drive that hangs, the disk that is full
//
// imports_test.go guards who may import whom in the whole repository.
package e2e
