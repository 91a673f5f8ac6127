import { useAnswer } from '../api/query';
import { sessionName } from '../shared/names';
import { shortened } from '../shared/shortened';
import { SessionOfDocument } from './operations.generated';

const longest = 60;

/** What a session is called; until that is known, and where it is gone, its id. */
export function SessionName({ id }: { id: string }) {
  const { data } = useAnswer(SessionOfDocument, { id });
  return data?.node?.__typename === 'Session' ? shortened(sessionName(data.node.episodes.nodes[0]), longest) : id;
}
