// For Go's pprof: methods, recursion, a closure called by the library, two goroutines.
package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"sort"
	"strings"
)

type node struct {
	left, right *node
	value       int
}

func (n *node) insert(v int) *node {
	if n == nil {
		return &node{value: v}
	}
	if v < n.value {
		n.left = n.left.insert(v)
	} else {
		n.right = n.right.insert(v)
	}
	return n
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func work(k int) int {
	var tree *node
	x := uint32(k)
	for i := 0; i < 20000; i++ {
		x = x*1664525 + 1013904223
		tree = tree.insert(int(x >> 8))
	}
	words := strings.Fields(strings.Repeat("aab xyz aaab ", 500))
	sort.Slice(words, func(i, j int) bool { return words[i] < words[j] })
	return tree.value&7 + fib(24) + len(words)
}

func main() {
	f, _ := os.Create(os.Args[1])
	pprof.StartCPUProfile(f)
	results := make(chan int)
	for g := 0; g < 2; g++ {
		go func(g int) {
			s := 0
			for i := 0; i < 50; i++ {
				s += work(i + g)
			}
			results <- s
		}(g)
	}
	s := <-results + <-results
	pprof.StopCPUProfile()
	f.Close()
	fmt.Println(s)
}
