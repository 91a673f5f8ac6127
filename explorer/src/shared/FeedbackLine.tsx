import { Text } from '@mantine/core';
import { IconStar, IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { score } from './numbers';

type Feedback = { type: 'THUMBS_UP' | 'THUMBS_DOWN' | 'RATING'; rating: number | null; score: number; corrections: string | null; comment: string | null; createdBy: string | null };

const icons = { THUMBS_UP: IconThumbUp, THUMBS_DOWN: IconThumbDown, RATING: IconStar };

/** What a person thought of it, and would have had instead. */
export function FeedbackLine({ feedback }: { feedback: Feedback }) {
  const Icon = icons[feedback.type];
  const words = [feedback.comment, feedback.corrections].filter(Boolean).join(' ');
  return (
    <Text size="sm" className="written">
      <Icon size={14} aria-hidden style={{ verticalAlign: 'text-bottom' }} /> {feedback.createdBy ?? 'Somebody'} {said(feedback)}{' '}
      <Text span c="dimmed">
        ({score(feedback.score, true)})
      </Text>
      {words && `: “${words}”`}
    </Text>
  );
}

function said({ type, rating }: Feedback): string {
  if (type === 'RATING') return `gave ${rating} of 5`;
  return type === 'THUMBS_UP' ? 'liked it' : 'disliked it';
}
