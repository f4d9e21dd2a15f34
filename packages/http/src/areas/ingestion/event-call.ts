import type { IngestType } from '@sluice/pipeline'
import type { PlainRequest } from '../../gate/plain-request.ts'
import type { Intake, Taken } from './intake.ts'
import type { AnswersJson } from './stored-answer.ts'
import { withoutWriteKey } from './without-write-key.ts'

/** A path to which events are posted, with the write key as user name or in the body. */
export interface EventCall {
  readonly path: string
  readonly type: IngestType
  readonly answersJson?: AnswersJson
}

/** Takes the events of the body of a call. */
export function takeEvents(
  intake: Intake,
  request: PlainRequest,
  env: unknown,
  type: IngestType,
  writeKeyIn: 'header-or-body' | 'query' = 'header-or-body',
): Promise<Taken> {
  return intake.takeBody(request, env, { writeKeyIn, toEvents: (body) => withoutWriteKey(type, body) })
}
