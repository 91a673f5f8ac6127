package gqlhttp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"mneme/memory"
	"mneme/service"
)

// maxAgain is how many bytes of variables may be used again, each time that they are: a text of 1 MiB that twenty
// searches look for would cost as twenty such requests do.
const maxAgain = 256 << 10

// maxName is the longest name in a query, in bytes.
const maxName = 256

// limits refuses an operation that may not be asked for, or would cost too much, before anything is read.
type limits struct {
	options     Options
	permissions permissions
	prices      prices
}

// ExtensionName names the extension to gqlgen.
func (limits) ExtensionName() string { return "Limits" }

// Validate accepts every schema.
func (limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext checks an operation of a valid query.
func (l limits) MutateOperationContext(ctx context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	err := l.permissions.check(ctx, operation.Operation.SelectionSet, map[*ast.FragmentDefinition]bool{})
	if refused, ok := errors.AsType[*memory.Error](err); ok {
		return asRequestError(refused)
	}
	cost := measure(l.prices, operation.Operation, operation.Variables)
	operation.Stats.SetExtension(costKey, cost)
	operation.ResolverMiddleware = counted // AroundFields would wrap each field in two functions more
	return within(
		bound{"root fields", cost.roots, l.options.MaxRootFields, "send several requests"},
		bound{"levels of fields", cost.depth, l.options.MaxDepth, "read on from the ids"},
		bound{"fields in the answer by estimate", cost.fields, l.options.MaxComplexity, "ask for smaller pages"},
		bound{"bytes of variables that it uses again", cost.again, maxAgain, "send several requests"},
	)
}

// bound is a limit, and what stands against it.
type bound struct {
	what     string
	is, most int
	remedy   string
}

// within names the first bound that is passed.
func within(bounds ...bound) *gqlerror.Error {
	for _, b := range bounds {
		if b.is > b.most {
			return asRequestError(&memory.Error{Code: memory.CodeLimitExceeded, Message: fmt.Sprintf("the query has more than %d %s; %s", b.most, b.what, b.remedy)})
		}
	}
	return nil
}

// asRequestError makes an error of the whole request, with no place in the answer.
func asRequestError(err *memory.Error) *gqlerror.Error {
	return &gqlerror.Error{Err: err, Message: err.Message}
}

// textCheck looks at a parsed document before it is validated: validation takes the square of repeated fields, and
// suggests names in the product of their lengths.
type textCheck struct {
	aliases    int // fields that are renamed, and those that stand in their selection a second time
	directives int
	fault      *memory.Error // the last of a name or a number
}

// checkText refuses a document by its text. Operations and fragments are looked at once, where they are written.
func checkText(document *ast.QueryDocument, options Options) *gqlerror.Error {
	var c textCheck
	for _, operation := range document.Operations {
		for _, variable := range operation.VariableDefinitions {
			c.child(variable.Variable, variable.DefaultValue)
			c.part(variable.Type.Name(), variable.Directives, nil)
		}
		c.part(operation.Name, operation.Directives, operation.SelectionSet)
	}
	for _, fragment := range document.Fragments {
		c.name(fragment.TypeCondition)
		c.part(fragment.Name, fragment.Directives, fragment.SelectionSet)
	}
	if c.fault != nil {
		return asRequestError(c.fault)
	}
	return within(
		bound{"aliases and repeated fields", c.aliases, options.MaxAliases, "send several requests"},
		bound{"directives", c.directives, options.MaxDirectives, "write another query"},
	)
}

// part is a part of a document that has a name, directives and selections.
func (c *textCheck) part(name string, directives ast.DirectiveList, set ast.SelectionSet) {
	c.name(name)
	c.directives += len(directives)
	for _, directive := range directives {
		c.name(directive.Name)
		c.arguments(directive.Arguments)
	}
	seen := make(map[string]bool, len(set))
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Alias != s.Name || seen[s.Alias] {
				c.aliases++
			}
			seen[s.Alias] = true
			c.name(s.Alias)
			c.arguments(s.Arguments)
			c.part(s.Name, s.Directives, s.SelectionSet)
		case *ast.InlineFragment:
			c.part(s.TypeCondition, s.Directives, s.SelectionSet)
		case *ast.FragmentSpread:
			c.part(s.Name, s.Directives, nil)
		}
	}
}

func (c *textCheck) name(name string) {
	if len(name) > maxName {
		c.fault = memory.LimitExceeded("", "a name in the query has more than %d bytes", maxName)
	}
}

func (c *textCheck) arguments(arguments ast.ArgumentList) {
	for _, argument := range arguments {
		c.child(argument.Name, argument.Value)
	}
}

// child is a value with its name. The executor would panic at a number of more than 64 bits.
func (c *textCheck) child(name string, value *ast.Value) {
	c.name(name)
	if value == nil {
		return
	}
	var err error
	switch value.Kind {
	case ast.Variable, ast.EnumValue:
		c.name(value.Raw)
	case ast.IntValue:
		_, err = strconv.ParseInt(value.Raw, 10, 64)
	case ast.FloatValue:
		_, err = strconv.ParseFloat(value.Raw, 64)
	}
	if err != nil {
		c.fault = memory.Invalid("", "a number in the query takes more than 64 bits; send it in a variable, or as a text")
	}
	for _, child := range value.Children {
		c.child(child.Name, child.Value)
	}
}

const (
	// usualLength is that of numbers, times and the like in an answer, in bytes.
	usualLength = 8
	// elementLength is what an element of a list counts for, beside its fields. It is more than its braces, since it has a
	// goroutine and a place in the memory until the answer is written: 80,000 are as many as an answer may hold.
	elementLength = 200
)

// counted counts the answer of a field before its value is written, so that an answer stops growing at its limit.
func counted(ctx context.Context, next graphql.Resolver) (any, error) {
	budget := service.BudgetOf(ctx)
	value, err := next(ctx)
	if err != nil || budget == nil {
		return value, err
	}
	name := len(graphql.GetFieldContext(ctx).Field.Alias) + len(`"":,`)
	return value, budget.Answer(int64(name) + answerLength(value))
}

// answerLength is about how many bytes a value takes in an answer, but for the fields of objects, which are counted by
// themselves.
func answerLength(value any) int64 {
	switch v := value.(type) {
	case string:
		return memory.AnswerLength(v)
	case *string:
		if v != nil {
			return memory.AnswerLength(*v)
		}
	case []string:
		var length int64
		for _, text := range v {
			length += 1 + memory.AnswerLength(text)
		}
		return length
	case memory.JSON:
		return int64(len(v))
	default:
		if of := reflect.ValueOf(value); of.Kind() == reflect.Slice {
			return int64(of.Len()) * elementLength
		}
	}
	return usualLength
}
