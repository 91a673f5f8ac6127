import { Text } from '@mantine/core';
import { IconStar, IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { Long, longest } from './Long';
import { score } from './numbers';
import { heading } from './shortened';

type Feedback = { type: 'THUMBS_UP' | 'THUMBS_DOWN' | 'RATING'; rating: number | null; score: number; corrections: string | null; comment: string | null; createdBy: string | null };

const icons = { THUMBS_UP: IconThumbUp, THUMBS_DOWN: IconThumbDown, RATING: IconStar };

/** What a person thought of it, and would have had instead. */
export function FeedbackLine({ feedback }: { feedback: Feedback }) {
  const Icon = icons[feedback.type];
  const words = [feedback.comment, feedback.corrections].filter(Boolean).join(' ');
  const long = words.length > longest;
  return (
    <>
      <Text size="sm" className="written">
        <Icon size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} /> {heading(feedback.createdBy ?? 'Somebody')} {said(feedback)}{' '}
        <Text span c="dimmed">
          ({score(feedback.score, true)})
        </Text>
        {words && (long ? ':' : `: “${words}”`)}
      </Text>
      {long && <Long text={words} />}
    </>
  );
}

function said({ type, rating }: Feedback): string {
  if (type === 'RATING') return `gave ${rating} of 5`;
  return type === 'THUMBS_UP' ? 'liked it' : 'disliked it';
}
