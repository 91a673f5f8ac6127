import { useEffect, useRef } from 'react';

/** Brings what was chosen into sight where the window is too narrow to have it beside the list. */
export function useInSight<Element extends HTMLElement>(chosen: string | undefined) {
  const place = useRef<Element>(null);
  useEffect(() => {
    if (chosen && matchMedia('(max-width: 62em)').matches) place.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return place;
}
