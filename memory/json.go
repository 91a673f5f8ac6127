package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// JSONOf is the canonical text of a value: compact, keys sorted, numbers as they were written where value holds
// json.Number, and '<', '>' and '&' as themselves. nil gives nil. It fails where encoding/json does.
func JSONOf(value any) (JSON, error) {
	if value == nil {
		return nil, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return JSON(bytes.TrimRight(text.Bytes(), "\n")), nil
}

// ParseJSON gives the canonical form of one JSON text (see JSONOf); null and empty text give nil.
// Where a key stands twice in an object, the last counts.
func ParseJSON(text []byte) (JSON, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	value, err := JSONValue(text)
	if err != nil {
		return nil, err
	}
	return JSONOf(value)
}

// JSONValue decodes exactly one JSON value, numbers as json.Number.
func JSONValue(text []byte) (any, error) {
	if len(text) > 0 && text[0] == '"' { // most values are strings, which need no decoder
		var value string
		err := json.Unmarshal(text, &value)
		return value, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return value, nil
}

// plainNumbers writes the numbers within a value that JSONValue gave in one way each: 120.0 and 1.2e2 as 120.
// It changes the value.
func plainNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		return plainNumber(v)
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = plainNumbers(v[key])
		}
	}
	return value
}

// plainNumber leaves a number that a float64 might take for another: whole numbers in digits, and out of range. All
// others are their float64, in digits alone where it is whole. Keys of what is kept are made of it.
func plainNumber(number json.Number) any {
	if whole, err := number.Int64(); err == nil {
		return whole
	}
	x, err := number.Float64()
	switch {
	case err != nil || !strings.ContainsAny(number.String(), ".eE"):
		return number
	case x == 0:
		return 0 // also of -0.0
	}
	return x
}

// WholeNumber is a JSON number in digits alone where it is a whole one of 64 bits, also where it is written as 5.0 or
// 1e2, as those write it whose numbers are all floating point: up to 2⁵³, beyond which such numbers lose digits.
func WholeNumber(number json.Number) (digits json.Number, is bool) {
	if _, err := number.Int64(); err == nil {
		return number, true
	}
	x, err := number.Float64()
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return "", false
	}
	return json.Number(strconv.FormatInt(int64(x), 10)), true
}

// JSONFields gives the fields of a JSON object; ok is false for anything else.
func JSONFields(j []byte) (fields map[string]json.RawMessage, ok bool) {
	if err := json.Unmarshal(j, &fields); err != nil {
		return nil, false
	}
	return fields, fields != nil
}

// JSONText is a JSON value as text for people: a string as itself, nothing for null, anything else as compact JSON.
func JSONText(j []byte) string {
	var text *string
	if err := json.Unmarshal(j, &text); err == nil {
		return OrZero(text)
	}
	canonical, err := ParseJSON(j)
	if err != nil {
		return strings.TrimSpace(string(j))
	}
	return string(canonical)
}
