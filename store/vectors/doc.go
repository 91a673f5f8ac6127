// Package vectors keeps the vectors of passages in memory, so that finding those nearest to a question reads none.
//
// A vector is kept as a code of whole numbers and as the signs of these. The signs that differ from the question's in
// the fewest places name the candidates (Charikar, Similarity Estimation Techniques from Rounding Algorithms, 2002);
// their codes are compared. So a few of the nearest may be missing where there are many vectors.
package vectors
