package demo

// A bar chart is looked at where a line chart is closed at once: what the insights should find.
var analystTasks = []task{
	{
		name: "sales_report", agent: "analyst", early: 0.45, late: 0.9,
		asks: []string{
			"Show how sales of the {product} compare across regions in the {quarter}.",
			"{customer} asks for a chart of {quarter} revenue by product for {region}.",
			"Prepare the {quarter} sales report for {region}: revenue by product, with the best and the worst.",
		},
		good: []way{{
			steps: []step{
				{"The question compares groups, so a bar chart fits better than a line.", "query_sales", `{"rows": 24, "region": "{region}", "period": "{quarter}"}`},
				{"", "draw_chart", `{"type": "bar", "sorted": "descending"}`},
			},
			result:  "A bar chart of {quarter} revenue by product for {region}, sorted, with the {product} marked.",
			insight: "People compare groups faster with sorted bars than with lines; they kept this chart open and worked with it.",
			shows:   []show{{"charts", "bar", 22, 75, `{"title": "Revenue by product, {quarter}"}`, []event{{"UPDATE", `{"filter": "{region}"}`}}}},
			liked:   0.95, corrections: []string{"Good chart, but put the currency on the axis."},
		}, {
			steps: []step{
				{"", "query_sales", `{"rows": 96, "region": "{region}", "period": "{quarter}"}`},
				{"The numbers will be used further, so a sheet comes with the chart.", "write_sheet", `{"sheet": "revenue", "rows": 96}`},
			},
			result:  "A sheet with revenue by product and region for the {quarter}, with totals and a pivot.",
			insight: "The sheet had totals and a pivot from the start, so nothing had to be asked again.",
			shows:   []show{{"sheets", "pivot", 40, 160, `{"rows": 96}`, []event{{"UPDATE", `{"sorted_by": "revenue"}`}}}},
			liked:   0.85, corrections: []string{"Freeze the header row, please."},
		}},
		bad: []way{{
			steps: []step{
				{"Sales over a quarter: a line chart should do.", "query_sales", `{"rows": 24, "region": "{region}", "period": "{quarter}"}`},
				{"", "draw_chart", `{"type": "line", "series": 12}`},
			},
			result:  "A line chart with twelve series, one a product.",
			insight: "Twelve lines over each other cannot be told apart; the person closed the chart at once.",
			shows:   []show{{"charts", "line", 1.5, 4, `{"title": "Revenue, {quarter}"}`, nil}},
			liked:   0.05, corrections: []string{"Use a bar chart to compare products, not a line chart.", "I cannot read twelve lines. Sort the products and show bars."},
		}, {
			steps: []step{
				{"", "query_sales", `{"error": "column region_name does not exist"}`},
				{"The column has another name; trying without the filter.", "query_sales", `{"rows": 1200, "region": null}`},
			},
			result:  "A chart of worldwide revenue instead of {region}.",
			insight: "When the region filter failed, the query was run without it: the answer was to another question.",
			shows:   []show{{"charts", "line", 2, 6, `{"title": "Revenue, worldwide"}`, []event{{"UPDATE", `{"error": "column region_name does not exist"}`}}}},
			liked:   0, corrections: []string{"I asked for {region} only. If a filter fails, say so instead of dropping it."},
		}},
	},
	{
		name: "data_cleanup", agent: "analyst", early: 0.5, late: 0.85,
		asks: []string{
			"Clean up {file}: remove duplicates and bring the dates to one format.",
			"{file} from {customer} has mixed currencies and empty rows. Make it usable for the sales report.",
			"Check {file} for customers who are listed twice under different spellings.",
		},
		good: []way{{
			steps: []step{
				{"Changes to a customer's file are shown before they are made.", "profile_columns", `{"rows": 4210, "duplicates": 137, "date_formats": 3}`},
				{"", "propose_changes", `{"merge": 137, "reformat": 1904}`},
				{"", "apply_changes", `{"changed": 2041, "backup": "{file}.bak"}`},
			},
			result:  "137 duplicates merged and all dates brought to ISO 8601; the original is kept as {file}.bak.",
			insight: "Profiling the columns first and asking before merging meant that nothing had to be undone.",
			shows:   []show{{"sheets", "diff", 35, 140, `{"changes": 2041}`, []event{{"SUBMIT", `{"completed": ["merge", "reformat"]}`}}}},
			liked:   0.9, corrections: []string{"Keep the old spelling in a column of its own."},
		}},
		bad: []way{{
			steps: []step{
				{"Rows with the same name are duplicates.", "drop_duplicates", `{"key": "name", "removed": 611}`},
			},
			result:  "611 rows removed from {file}.",
			insight: "Rows were compared by name alone, so different customers of the same name were lost.",
			shows:   []show{{"sheets", "table", 2, 9, `{"rows": 3599}`, nil}},
			liked:   0, corrections: []string{"Never delete rows by name alone: compare the customer number and the address too."},
		}, {
			steps: []step{
				{"", "parse_dates", `{"parsed": 4210, "format": "month first"}`},
			},
			result:  "Dates in {file} brought to one format.",
			insight: "Day and month were swapped wherever both were twelve or less, because the format was guessed from the first rows.",
			shows:   []show{{"sheets", "table", 3, 12, `{"rows": 4210}`, []event{{"UPDATE", `{"error": "31 dates lie in the future"}`}}}},
			liked:   0.1, corrections: []string{"European files have the day first. Look for a value above twelve before you decide."},
		}},
	},
}
