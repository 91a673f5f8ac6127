export class TypedDocumentString extends String {
    __apiType;
    value;
    __meta__;
    constructor(value, __meta__) {
        super(value);
        this.value = value;
        this.__meta__ = __meta__;
    }
    toString() {
        return this.value;
    }
}
export const HitFragmentDoc = new TypedDocumentString(`
    fragment Hit on RecallHit {
  episode {
    id
    title
    agent {
      id
    }
    taskType
    outcome
    insight
    result
    startedAt
  }
  reasons
  score {
    total
  }
}
    `, { "fragmentName": "Hit" });
export const RecallDocument = new TypedDocumentString(`
    query Recall($input: RecallInput!, $maxTokens: Int!) {
  recall(input: $input) {
    hits {
      ...Hit
    }
    cautions {
      ...Hit
    }
    lessons(maxTokens: $maxTokens)
    note
  }
}
    fragment Hit on RecallHit {
  episode {
    id
    title
    agent {
      id
    }
    taskType
    outcome
    insight
    result
    startedAt
  }
  reasons
  score {
    total
  }
}`);
export const NextStepsDocument = new TypedDocumentString(`
    query NextSteps($input: NextStepsInput!) {
  nextSteps(input: $input) {
    name
    share
    episodes
    succeeded
    failed
    liked
  }
}
    `);
export const EpisodeDocument = new TypedDocumentString(`
    query Episode($id: ID!) {
  episode(id: $id) {
    id
    title
    agent {
      id
    }
    sessionId
    taskType
    observation
    thoughts
    actions {
      stepId
      stepName
      result
    }
    result
    outcome
    insight
    startedAt
    endedAt
    aggregateFeedbackScore
    informedBy(first: 100) {
      nodes {
        id
      }
    }
  }
}
    `);
export const CaptureRunDocument = new TypedDocumentString(`
    mutation CaptureRun($input: CaptureRunInput!) {
  captureRun(input: $input) {
    episode {
      id
    }
    unread
  }
}
    `);
export const ConcludeEpisodeDocument = new TypedDocumentString(`
    mutation ConcludeEpisode($input: ConcludeEpisodeInput!) {
  concludeEpisode(input: $input) {
    episode {
      id
      outcome
      insight
    }
  }
}
    `);
export const RecordEpisodeDocument = new TypedDocumentString(`
    mutation RecordEpisode($input: RecordEpisodeInput!) {
  recordEpisode(input: $input) {
    episode {
      id
      insight
    }
  }
}
    `);
export const RecordCanvasActionsDocument = new TypedDocumentString(`
    mutation RecordCanvasActions($input: RecordCanvasActionsInput!) {
  recordCanvasActions(input: $input) {
    result {
      succeeded
      errors {
        index
        code
        message
        field
      }
    }
  }
}
    `);
export const SubmitFeedbackDocument = new TypedDocumentString(`
    mutation SubmitFeedback($input: SubmitFeedbackInput!) {
  submitFeedback(input: $input) {
    feedback {
      id
      score
    }
    aggregateFeedbackScore
  }
}
    `);
export const EpisodeRecordedDocument = new TypedDocumentString(`
    subscription EpisodeRecorded($agentId: ID, $taskType: String, $after: String) {
  episodeRecorded(agentId: $agentId, taskType: $taskType, after: $after) {
    cursor
    episode {
      id
      title
      agent {
        id
      }
      taskType
      outcome
    }
  }
}
    `);
export const FeedbackSubmittedDocument = new TypedDocumentString(`
    subscription FeedbackSubmitted($agentId: ID, $episodeId: ID, $after: String) {
  feedbackSubmitted(agentId: $agentId, episodeId: $episodeId, after: $after) {
    cursor
    feedback {
      id
      type
      score
      corrections
      comment
      episode {
        id
      }
    }
  }
}
    `);
