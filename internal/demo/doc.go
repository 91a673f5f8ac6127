// Package demo holds a sample memory: five agents at eight kinds of work over 90 days, with the canvases they
// showed, what people said to them and what they know, and five reports that were judged section by section.
// It is made up; its times count from the day on which the sample was first loaded.
package demo
