package mcpserver

import (
	"context"

	"mneme/service"
)

var memoirListTool = tool[pageInput, memoirListOutput]{
	name: "memoir_list", title: "List memoirs", hints: reads,
	about: "Lists the memoirs by name; memoir_inspect gives one with its concepts.",
	run:   memoirList,
}

type memoirListOutput struct {
	Memoirs []memoirBody `json:"memoirs"`
	pageOutput
}

func memoirList(ctx context.Context, tenant *service.Tenant, in pageInput) (memoirListOutput, error) {
	page, err := tenant.Knowledge.Memoirs(ctx, in.page())
	if err != nil {
		return memoirListOutput{}, err
	}
	return memoirListOutput{Memoirs: mapped(page.Items, bodyOfMemoir), pageOutput: nextOf(page)}, nil
}
