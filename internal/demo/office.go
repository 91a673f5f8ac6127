package demo

var officeTasks = []task{
	{
		name: "tax_form", agent: "clerk", early: 0.5, late: 0.85,
		asks: []string{
			"Fill in the {year} tax form for {person} from the personnel file.",
			"{customer} needs the {year} withholding statement for {person}.",
			"{person} moved; correct the address on the {year} tax form and send it again.",
		},
		good: []way{{
			steps: []step{
				{"Only what the file says; the rest is left to the person.", "read_personnel_file", `{"person": "{person}", "fields": 18}`},
				{"", "fill_form", `{"form": "{year}", "filled": 16, "left_open": ["iban", "church_tax"]}`},
			},
			result:  "The {year} tax form of {person} was filled in as far as the file goes; two fields were left to be answered, and it was submitted.",
			insight: "Leaving open what the file does not say, instead of guessing, let the person submit the form at once.",
			shows:   []show{{"forms", "tax", 45, 170, `{"year": {year}}`, []event{{"UPDATE", `{"field": "iban"}`}, {"SUBMIT", `{"completed": ["name", "address"]}`}}}},
			liked:   0.9, corrections: []string{"Show which fields came from the file."},
		}},
		bad: []way{{
			steps: []step{
				{"The address of last year will still be right.", "copy_form", `{"from": "last year", "to": "{year}"}`},
			},
			result:  "The {year} tax form of {person}, copied from the year before.",
			insight: "The form was copied from the year before, so an old address and an old tax class were carried on.",
			shows:   []show{{"forms", "tax", 2, 4, `{"year": {year}}`, nil}},
			liked:   0, corrections: []string{"Never copy last year's form: read the personnel file, addresses change."},
		}, {
			steps: []step{
				{"", "fill_form", `{"error": "the tax number has 10 digits, 11 are needed"}`},
			},
			result:  "The {year} tax form was refused by the portal.",
			insight: "The tax number was not checked for its length before the form was sent.",
			shows:   []show{{"forms", "tax", 6, 20, `{"year": {year}}`, []event{{"SUBMIT", `{"error": "the tax number has 10 digits, 11 are needed"}`}}}},
			liked:   0.1, corrections: []string{"Check the tax number (11 digits) before you submit."},
		}},
	},
	{
		name: "outreach_email", agent: "writer", early: 0.4, late: 0.8,
		asks: []string{
			"Write an email to {customer} that offers the {product} at a trial price of {amount} EUR.",
			"{person} of {customer} has not answered for two weeks. Write a follow-up.",
			"Announce the new {product} to our customers in {region}.",
		},
		good: []way{{
			steps: []step{
				{"One thought an email: what is in it for them.", "read_crm", `{"customer": "{customer}", "last_topic": "{product}", "language": "en"}`},
				{"", "draft_email", `{"words": 84, "subject": "{product}: try it for {amount} EUR"}`},
			},
			result:  "A draft of 84 words with one question at its end, which {person} can answer with yes or no.",
			insight: "Short drafts that end with one plain question get sent unchanged.",
			shows:   []show{{"email", "draft", 25, 90, `{"words": 84}`, []event{{"SUBMIT", `{"sent_to": "{person}"}`}}}},
			liked:   0.9, corrections: []string{"Sign with the name of the account owner."},
		}, {
			steps: []step{
				{"", "read_crm", `{"customer": "{customer}", "orders": 7}`},
				{"The numbers speak for themselves; they get a one-page comparison.", "write_document", `{"pages": 1, "table_rows": 6}`},
			},
			result:  "A one-page comparison of the {product} with what {customer} uses today.",
			insight: "A comparison with what the customer uses today answered the questions that emails had left open.",
			shows:   []show{{"docs", "proposal", 50, 190, `{"pages": 1}`, []event{{"UPDATE", `{"section": "price"}`}}}},
			liked:   0.85, corrections: []string{"Put the price at the end."},
		}},
		bad: []way{{
			steps: []step{
				{"The more arguments, the better.", "draft_email", `{"words": 412, "subject": "Discover our exciting new {product}!!!"}`},
			},
			result:  "A draft of 412 words with nine benefits of the {product}.",
			insight: "The draft was too long and too loud; nobody read past its first lines.",
			shows:   []show{{"email", "draft", 1.5, 4.5, `{"words": 412}`, nil}},
			liked:   0.05, corrections: []string{"Keep emails under 100 words and leave out the exclamation marks.", "Too long. One offer, one question."},
		}},
	},
}
