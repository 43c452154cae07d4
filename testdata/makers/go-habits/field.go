// SPDX-License-Identifier: Apache-2.0

//go:build field

package main

type item struct {
	ID   int
	Name string
}
