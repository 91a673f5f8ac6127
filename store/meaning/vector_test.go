package meaning

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"mneme/store/vectors"
)

func encode(t *testing.T, text string) Vector {
	t.Helper()
	v, ok := Encode(text)
	require.True(t, ok, text)
	return v
}

func length(v Vector) (length float64) {
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	return math.Sqrt(length)
}

const late = "The shopper was furious because her parcel arrived three weeks late."

func TestVectorsHaveTheLengthOne(t *testing.T) {
	for _, text := range []string{"a", "refund", late, strings.Repeat(late, 1000)} {
		v := encode(t, text)
		require.InDelta(t, 1, length(v), 1e-6)
	}
}

func TestTextsWithoutKnownWordsHaveNoVector(t *testing.T) {
	for _, text := range []string{"", " \n\t", "\x00\x01", "\xff\xfe", "ꙮꙮꙮ", strings.Repeat("a", 101), "\u200b"} {
		v, ok := Encode(text)
		require.False(t, ok, "%q", text)
		require.Zero(t, v)
	}
}

func TestTheOrderOfWordsDoesNotMatter(t *testing.T) {
	words := strings.Fields(late + " " + strings.ToUpper(late) + " Zürich, 中文 👍 12,000")
	want := encode(t, strings.Join(words, " "))
	chance := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		chance.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		require.Equal(t, want, encode(t, strings.Join(words, "\n")))
	}
}

func TestOnlyTheBeginningOfATextIsRead(t *testing.T) {
	whole := strings.Repeat("é", MaxBytes/4) + strings.Repeat(" late", MaxBytes/8)
	require.Equal(t, encode(t, whole[:MaxBytes]), encode(t, whole))
	require.Equal(t, encode(t, strings.Repeat("a ", MaxBytes/2)), encode(t, strings.Repeat("a ", MaxBytes/2-1)+"a"+"€ refund"))
	_, ok := Encode(strings.Repeat("\x80", 2*MaxBytes)) // nowhere does a character begin
	require.False(t, ok)
}

// What stores keep must mean the same after an update of Go, of the compiler, on another machine: a changed sum needs
// another version of each store's schema.
func TestVectorsAreTheSameToTheLastBit(t *testing.T) {
	sum := sha256.New()
	for _, pair := range paraphrases(t) {
		for _, text := range []string{pair.record, pair.question} {
			v := encode(t, text)
			sum.Write(vectors.Bytes(vectors.Code(v[:])))
		}
	}
	require.Equal(t, "fc8b479c8580ef2bc1abc6b8993263fa8124083bfbcd2aeb93afb4697cc9c27c", fmt.Sprintf("%x", sum.Sum(nil)))
}

// Another table makes other vectors: it needs another version of each store's schema.
func TestTheTableIsTheOne(t *testing.T) {
	require.Equal(t, "041fd2b44276a74deac8125fc8252172b37bd548bcb4360539faa79c40759ba4", fmt.Sprintf("%x", sha256.Sum256([]byte(embedded))))
	require.Equal(t, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3", fmt.Sprintf("%x", sha256.Sum256([]byte(vocabulary))))
	require.Len(t, embedded, strings.Count(vocabulary, "\n")*(2+Dimensions))
}

func FuzzEncode(f *testing.F) {
	for _, text := range []string{"", late, "\xff\x00", "!\xf0Ӯ", "Zürich 中文 👍", "가각힣", strings.Repeat("a", 101)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := Encode(text)
		again, _ := Encode(text)
		require.Equal(t, v, again)
		if !ok {
			require.Zero(t, v)
			return
		}
		require.InDelta(t, 1, length(v), 1e-6)
		if valid := strings.ToValidUTF8(text, ""); utf8.ValidString(text) || len(text) < MaxBytes {
			same, _ := Encode(valid)
			require.Equal(t, v, same, "bytes that are no text change nothing")
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	load()
	for _, words := range []int{30, 300} {
		text := strings.Join(strings.Fields(strings.Repeat(late+" We gave her a refund of $20 and apologised for the courier's mistake. ", 15))[:words], " ")
		b.Run(fmt.Sprint(words), func(b *testing.B) {
			for b.Loop() {
				Encode(text)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		read()
	}
}

func TestQuestion(t *testing.T) {
	for text, means := range map[string]bool{
		"the car would not start": true, "reimbursement": true, "xyzzy of cars": true,
		"zzzqqq": false, "qwzx": false, "12345": false, "2023": false, "???": false, "": false, "x": false,
	} {
		v, ok := Question(text)
		require.Equal(t, means, ok, text)
		if ok {
			whole, _ := Encode(text)
			require.Equal(t, whole, v, text)
		}
	}
}
