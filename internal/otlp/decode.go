package otlp

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// decode reads the request, or says why it cannot be. TracesData is written as ExportTraceServiceRequest is,
// and needs no gRPC.
func decode(w http.ResponseWriter, request *http.Request, as form) (*trace.TracesData, *refusal) {
	if as == formUnknown {
		return nil, &refusal{http.StatusUnsupportedMediaType, "send application/x-protobuf or application/json"}
	}
	body, refused := unpack(http.MaxBytesReader(w, request.Body, maxBody), request.Header.Get("Content-Encoding"))
	if refused != nil {
		return nil, refused
	}
	var export trace.TracesData
	var err error
	if as == formJSON {
		err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(body, &export)
	} else {
		err = proto.Unmarshal(body, &export)
	}
	if err != nil { // whose words would repeat the body
		return nil, &refusal{http.StatusBadRequest, "the body is not an ExportTraceServiceRequest of OTLP in " + string(as)}
	}
	return &export, nil
}

func unpack(body io.Reader, encoding string) ([]byte, *refusal) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, unreadable(err)
		}
		body = unpacked
	default:
		return nil, &refusal{http.StatusUnsupportedMediaType, "the body may be packed by gzip only"}
	}
	// Read into a growing buffer, not one of the length that the sender claims.
	var read bytes.Buffer
	switch n, err := read.ReadFrom(io.LimitReader(body, maxBody+1)); {
	case err != nil:
		return nil, unreadable(err)
	case n > maxBody:
		return nil, tooLarge()
	}
	return read.Bytes(), nil
}

func unreadable(err error) *refusal {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return tooLarge()
	}
	return &refusal{http.StatusBadRequest, "the body cannot be read"}
}

func tooLarge() *refusal {
	return &refusal{http.StatusRequestEntityTooLarge, "the body has more than " + strconv.Itoa(maxBody) + " bytes; send fewer spans at a time"}
}

// hexID is an id as a client would write it. OTLP writes ids in JSON as hex digits where protobuf's mapping
// has base64, so that an id comes out of the decoder as what its digits are in base64: taken back, it is
// the digits. Empty is an id that is not there, as one of zeros is; ok is false for one of another length.
func hexID(id []byte, size int) (text string, ok bool) {
	switch len(id) {
	case 0:
		return "", true
	case size:
		text = hex.EncodeToString(id)
	case size * 3 / 2:
		text = strings.ToLower(base64.StdEncoding.EncodeToString(id))
		if _, err := hex.DecodeString(text); err != nil {
			return "", false
		}
	default:
		return "", false
	}
	if strings.Trim(text, "0") == "" {
		return "", true
	}
	return text, true
}
