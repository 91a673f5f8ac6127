package redact

import "strings"

// given is how a program is given a password: behind which option, as a word of its own or joined to it.
type given struct {
	option        string
	apart, joined bool
}

// programs are those that are given a password behind an option whose name does not say so.
var programs = map[string]given{
	"sshpass": {"-p", true, true}, "redis-cli": {"-a", true, false}, "docker login": {"-p", true, false}, "podman login": {"-p", true, false},
	"mysql": {"-p", false, true}, "mysqldump": {"-p", false, true}, "mysqladmin": {"-p", false, true}, "mysqlimport": {"-p", false, true},
	"mariadb": {"-p", false, true}, "mariadb-dump": {"-p", false, true}, "mariadb-admin": {"-p", false, true},
	"mongo": {"-p", true, false}, "mongosh": {"-p", true, false}, "mongodump": {"-p", true, false}, "mongorestore": {"-p", true, false},
	"ldapsearch": {"-w", true, false}, "ldapmodify": {"-w", true, false}, "ldapadd": {"-w", true, false},
	"curl": {option: curlUser}, // for basicAuth
}

// command is a program that stands in a text.
type command struct {
	at int
	given
}

// mostCommand is how far from the program its options are looked for.
const mostCommand = 1000

// programRule notes which program comes next, for optionOfProgram.
func programRule() *rule {
	r := &rule{kind: passwordKind}
	most := 0
	for name := range programs {
		r.anchors = append(r.anchors, name)
		most = max(most, len(name))
	}
	r.find = func(s *scan, at int) (start, end int, ok bool) {
		if s.inWord(at) {
			return 0, 0, false
		}
		near := strings.ToLower(s.text.Slice(at, min(s.text.Len(), at+most+1)))
		end = len("docker login") // two words
		if programs[near[:min(end, len(near))]].option == "" {
			end = strings.IndexAny(near+" ", " \"'`\t")
		}
		if program, known := programs[near[:min(end, len(near))]]; known {
			s.command = command{at, program}
		}
		return 0, 0, false
	}
	return r
}

// optionOfProgram is what the program before it is given.
func optionOfProgram() *rule {
	return &rule{
		kind: passwordKind, anchors: []string{" -p", " -a", " -w"}, needs: []string{"sshpass", "redis-cli", "docker", "podman", "mysql", "mariadb", "mongo", "ldap"},
		find: func(s *scan, at int) (start, end int, ok bool) {
			option := s.command.option
			start = at + 1 + len(option)
			if option == "" || !s.text.Has(at+1, option) || s.until(s.command.at, mostCommand, endOfCommand) < start {
				return 0, 0, false
			}
			if s.isOneOf(start, " ") {
				if !s.command.apart {
					return 0, 0, false
				}
				for ; s.isOneOf(start, " "); start++ {
				}
			} else if !s.command.joined {
				return 0, 0, false
			}
			value, start, ok := s.argument(start)
			return start, start + len(value), ok && value[0] != '-' && isPassword(value) && !isPort(value) && !describing[strings.ToLower(value)]
		},
	}
}

// mostArgument is longer than passwords are. Longer words are not looked at, since one may go on behind many names.
const mostArgument = 128

// argument is the word that begins at a position, without its quotes, if it stands for itself.
func (s *scan) argument(at int) (word string, start int, ok bool) {
	ending := endOfValue
	switch {
	case s.isOneOf(at, `"`):
		ending = endOfDouble
		at++
	case s.isOneOf(at, "'"):
		ending = endOfSingle
		at++
	}
	end := s.until(at, mostArgument, ending)
	if end == at || end == at+mostArgument || s.isStandIn(at) || s.isOneOf(at, " ") { // which an expression goes on with
		return "", at, false
	}
	return s.text.Slice(at, end), at, true
}

// isPort says whether a value is that of the same option of another program: -p3306, -p 8080:80/tcp.
func isPort(value string) bool {
	value = strings.TrimSuffix(strings.TrimSuffix(value, "/tcp"), "/udp")
	return strings.Trim(value, "0123456789.:-") == "" && (len(value) < 6 || strings.ContainsAny(value, ".:-"))
}
