import { Badge } from '@mantine/core';

type Named = { id: string; name: string };

/** That a concept no longer holds, or that another says otherwise. */
export function Standing({ concept }: { concept: { supersededBy: Named | null; contradictedBy: Named[] } }) {
  return (
    <>
      {concept.supersededBy && (
        <Badge variant="light" color="gray">
          superseded
        </Badge>
      )}
      {concept.contradictedBy.length > 0 && (
        <Badge variant="light" color="orange">
          contradicted
        </Badge>
      )}
    </>
  );
}
