package lexical

import "strings"

// stopWords tell nothing about a text: articles, pronouns, prepositions, auxiliaries, question words, and contractions.
// They include those of Lucene's English analyser, so that no backend is asked for a word that its index lacks.
var stopWords = wordSet(`
	a an the this that these those such
	i me my mine myself we us our ours ourselves you your yours yourself yourselves
	he him his himself she her hers herself it its itself they them their theirs themselves
	and or but nor so if then else than as because while although though until unless whether
	of in on at by for with without about against between among into onto through during before after
	above below to from up down out off over under again further upon via per
	is am are was were be been being do does did doing done have has had having
	will would shall should can could may might must ought cannot
	what when where which who whom whose why how
	no not nor only own same too very just also there here both each few more most other some any all
	every either neither another much many ever never yet still already now
	etc please let lets
	i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll we're we've we'd we'll
	they're they've they'd they'll that'd that'll who'd who'll who're who've what're what'll what'd
	where'd how'd why'd when'd there'd there'll let's
	isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't shan't shouldn't
	can't couldn't mayn't mightn't mustn't oughtn't needn't ain't
	im ive youre youve dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wouldnt shouldnt cant couldnt
	whats wheres whos thats theres
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
