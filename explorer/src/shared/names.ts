import type { AroundQuery } from '../graph/operations.generated';
import { shortened } from './shortened';

/** A record of any kind, with what it is called and says. */
export type Named = AroundQuery['neighbourhood']['nodes'][number]['node'];

const longest = 60;

/** What a record is called. */
export function nameOf(record: Named): string {
  return shortened(wholeName(record), longest);
}

function wholeName(record: Named): string {
  switch (record.__typename) {
    case 'Agent':
    case 'Concept':
    case 'Memoir':
    case 'Section':
      return record.name;
    case 'Episode':
      return record.title;
    case 'Observation':
      return record.content;
    case 'Correction':
      return `${record.topic}: ${record.correction}`;
    case 'Canvas':
      return record.componentType ? `${record.canvasType}/${record.componentType}` : record.canvasType;
    case 'Feedback':
      return `${record.createdBy ?? 'Somebody'}: ${record.corrections ?? record.comment ?? record.type.toLowerCase().replace('_', ' ')}`;
    case 'LearningProfile':
      return record.task;
    case 'Pattern':
      return record.lesson;
    case 'Session':
      return sessionName(record.episodes.nodes[0]);
    case 'Verdict':
      return `${record.judgeId ?? 'A check'}: ${record.status.toLowerCase().replace('_', ' ')}`;
    default:
      return record.id;
  }
}

/** A session has no name of its own: it is told by its newest episode. */
export function sessionName(newest: { title: string } | undefined): string {
  return newest ? `Session of “${newest.title}”` : 'A session without episodes';
}

/** What a record says, where that is more than its name. */
export function textOf(record: Named): string | undefined {
  switch (record.__typename) {
    case 'Episode':
      return record.insight;
    case 'Concept':
    case 'Observation':
      return record.content;
    case 'Correction':
      return `Predicted ${record.prediction}, and right is ${record.correction}`;
    case 'Memoir':
      return record.description ?? undefined;
    case 'Pattern':
      return record.lesson;
    default:
      return undefined;
  }
}

/** That a concept does not hold as it stands. */
export function standingOf(record: Named): 'superseded' | 'contradicted' | undefined {
  if (record.__typename !== 'Concept') return undefined;
  if (record.supersededBy) return 'superseded';
  return record.contradictedBy.length > 0 ? 'contradicted' : undefined;
}
