import { useState } from 'react';
import { useList } from '../api/list';
import type { Episode } from './EpisodePage';
import { ReplayDocument } from './operations.generated';
import { stepOf, stepsWithoutTimes } from './steps';

const [atFirst, atOnce] = [40, 100];

/** What an agent did, step by step, as far as the reader wants it: by the log of the episode, else by what the episode names. */
export function useSteps(episode: Episode) {
  const [wanted, setWanted] = useState(atFirst);
  const log = useList(ReplayDocument, { id: episode.id }, (data) => data.replay);
  const { nodes = [], totalCount = 0 } = log.data ?? {};
  const logged = totalCount > 0;
  const untimed = logged || !log.data ? [] : stepsWithoutTimes(episode);
  const entries = nodes.slice(0, wanted);
  const more = () => {
    setWanted(wanted + atOnce);
    if (log.hasNextPage && wanted + atOnce > nodes.length) void log.fetchNextPage({ cancelRefetch: false });
  };
  return {
    steps: logged ? entries.flatMap((entry) => stepOf(entry) ?? []) : untimed.slice(0, wanted),
    /** How many there are that are not shown. */
    left: logged ? totalCount - entries.length : Math.max(0, untimed.length - wanted),
    timed: logged || untimed.length === 0,
    more,
    log,
  };
}
