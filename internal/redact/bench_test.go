package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"mneme/internal/redact"
)

// prose is what agents write: words such as "token" and "access" among others, and no secret.
const prose = `The customer asks where order 48123 is; the access token of the carrier's API had expired, so the
agent renewed it and tracked the parcel. Policy: refunds within 30 days, see https://shop.example/policy?id=12. The key
insight is that asking the carrier gave a date; keep the order id (ord_9f2c), the amount = 42.50 EUR and the author. `

func BenchmarkText(b *testing.B) {
	for _, size := range []int{300, 10_000, 1 << 20} {
		text := strings.Repeat(prose, size/len(prose)+1)[:size]
		b.Run(fmt.Sprintf("plain/%d", size), func(b *testing.B) { measure(b, text) })
		secret := text[:size/2] + " AKIA" + "IOSFODNN7EXAMPLE" + " " + text[size/2:]
		b.Run(fmt.Sprintf("one secret/%d", size), func(b *testing.B) { measure(b, secret) })
	}
	b.Run("every keyword/1048576", func(b *testing.B) {
		measure(b, strings.Repeat("adobe = api_key: token-12345678 aws sk-ant ghp"+"_ twitter, ", 1<<20/60))
	})
}

func measure(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		redact.Text(text)
	}
}
