//go:build !unix

package ptc

// reportOnRequest does nothing: there is no signal to ask with.
func reportOnRequest(int) {}
