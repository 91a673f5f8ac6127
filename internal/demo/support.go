package demo

// Customers write in, and what one answer lacks becomes the next request.
var supportTasks = []task{
	{
		name: "order_status", agent: "support", early: 0.75, late: 0.95,
		asks: []string{
			"{person} asks where order {order} is; it should have come three days ago.\nThe customer is unhappy that the parcel is late.",
			"{customer} wants to know whether the {product} of order {order} can still be sent to another address.",
			"{person} got a parcel with one {product} missing, order {order}.",
		},
		good: []way{{
			steps: []step{
				{"", "find_order", `{"order": "{order}", "state": "in transit", "carrier": "DHL"}`},
				{"The carrier knows more than our own record.", "track_parcel", `{"order": "{order}", "last_seen": "sorting centre", "days": 3}`},
			},
			result:  "Told {person} that order {order} waits at the sorting centre and comes within two days, with the tracking link.",
			insight: "Asking the carrier rather than the own record gave a date that could be promised.",
			shows:   []show{{"markdown", "", 12, 40, `{"links": 1}`, nil}},
			liked:   0.9, corrections: []string{"Offer a voucher when a parcel is more than two days late."},
		}},
		bad: []way{{
			steps: []step{
				{"", "find_order", `{"order": "{order}", "state": "shipped"}`},
			},
			result:  "Told {person} that order {order} was shipped.",
			insight: "The answer repeated what the customer knew already; the carrier was not asked.",
			shows:   []show{{"markdown", "", 1, 4, `{"links": 0}`, nil}},
			liked:   0.05, corrections: []string{"They know that it was shipped. Track the parcel with the carrier and give a date."},
		}},
	},
	{
		name: "refund_request", agent: "support", early: 0.5, late: 0.9,
		asks: []string{
			"{person} wants a refund of {amount} EUR for a broken {product}, order {order}.",
			"Refund request from {customer}: the {product} of order {order} came too late and is not needed any more.",
			"{person} was charged twice for order {order}, {amount} EUR each.",
		},
		good: []way{{
			steps: []step{
				{"The policy decides, so it is read first.", "read_policy", `{"refund_days": 30, "needs_photo_above": 100}`},
				{"", "find_order", `{"order": "{order}", "age_days": 12, "paid": {amount}}`},
				{"", "issue_refund", `{"order": "{order}", "amount": {amount}, "to": "original payment"}`},
			},
			result:  "Refunded {amount} EUR for order {order} to the original payment method; a confirmation went to {person}.",
			insight: "Checking the policy and the age of the order before promising anything kept the refund within the rules.",
			shows: []show{
				{"forms", "refund", 25, 80, `{"order": "{order}", "amount": {amount}}`, []event{{"SUBMIT", `{"completed": ["order", "reason", "amount"]}`}}},
				{"email", "draft", 15, 50, `{"to": "{person}"}`, nil},
			},
			liked: 0.95, corrections: []string{"Mention how many days the bank needs."},
		}},
		bad: []way{{
			steps: []step{
				{"A friendly answer first.", "send_email", `{"promise": "full refund", "amount": {amount}}`},
				{"", "find_order", `{"order": "{order}", "age_days": 71}`},
			},
			result:  "Promised a refund of {amount} EUR for order {order}, which is older than the 30 days of the policy.",
			insight: "The refund was promised before the order's age was looked up, and had to be taken back.",
			shows:   []show{{"email", "draft", 2, 4.5, `{"to": "{person}"}`, nil}},
			liked:   0, corrections: []string{"Check the 30 days of the refund policy before you promise anything.", "Look up the order first, then write."},
		}, {
			steps: []step{
				{"", "issue_refund", `{"error": "payment provider needs the transaction id"}`},
			},
			result:  "The refund of {amount} EUR could not be issued.",
			insight: "The transaction id was not fetched from the order before the payment provider was called.",
			shows:   []show{{"forms", "refund", 3, 8, `{"order": "{order}"}`, []event{{"UPDATE", `{"error": "transaction id is missing"}`}}}},
			liked:   0.1, corrections: []string{"Take the transaction id from find_order before issue_refund."},
		}},
	},
}
