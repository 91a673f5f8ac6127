package sqlite

import (
	"bytes"
	"encoding/json"
	"errors"

	"mneme/memory"
)

// Lists that belong to one record are kept as JSON. Most are empty, which needs no decoder.
const emptyList = "[]"

// encodeList writes a list; nil is empty. JSON within it stays as it is, byte for byte.
func encodeList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return emptyList, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(list)
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), err
}

// encodeOptional writes a list; nil is null.
func encodeOptional[T any](list []T) (*string, error) {
	if list == nil {
		return nil, nil
	}
	text, err := encodeList(list)
	return &text, err
}

func decodeList[T any](text string) ([]T, error) {
	list := []T{}
	if text == emptyList {
		return list, nil
	}
	if err := memory.KeptJSON.Check("", []byte(text)); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, err
	}
	if list == nil {
		return nil, errors.New("is no list")
	}
	return list, nil
}

// listOf reads a column that holds a list.
func listOf[T any](r *row) []T {
	list, err := decodeList[T](r.text())
	if err != nil {
		r.fail("column %s: %w", r.last(), err)
	}
	return list
}
