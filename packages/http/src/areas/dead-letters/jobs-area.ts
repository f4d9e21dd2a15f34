import type { ReplayJob, ReplayJobs } from '@sluice/pipeline'
import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, noContent, problem } from '../../gate/answer.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { jobChoice, jobSchema } from './dead-letters-schemas.ts'
import { choiceOf } from './shown-letter.ts'

export interface JobsAreaOptions {
  readonly gate: TokenGate
  readonly jobs: ReplayJobs
}

const closed = { additionalProperties: false }
const unknown = 'there is no such job; GET /v2/jobs lists them, and a restart forgets them'

/** `/v2/jobs`: replays of dead letters in the background, with their progress. Source: packages/docs/api/operations.md. */
export function createJobsArea({ gate, jobs }: JobsAreaOptions): Area {
  const shared = { area: 'Jobs', scopes: ['operate'] } as const
  return createArea([
    gate.route({
      ...shared,
      method: 'post',
      path: '/v2/jobs/replays',
      operationId: 'startReplayJob',
      summary: 'Replay dead letters in the background: by id, or all that match a filter',
      body: jobChoice,
      errors: ['deadLettersUnchosen', 'jobsTooMany'],
      responses: {
        202: { description: 'The job has begun.', schema: Type.Object({ id: Type.String() }, closed) },
      },
      handle: async ({ workspace, body }) => {
        const which = choiceOf(body)
        if (which === undefined)
          return problem('deadLettersUnchosen', 'give either ids (a list), or a filter such as destinationId')
        const job = await jobs.start(workspace.id, which)
        if (job === undefined)
          return problem('jobsTooMany', 'too many replays are under way; wait for one, or stop one')
        return { status: 202, body: { id: job.id } }
      },
    }),
    gate.route({
      ...shared,
      method: 'get',
      path: '/v2/jobs',
      operationId: 'listJobs',
      summary: 'List jobs, the newest first',
      errors: [],
      responses: {
        200: { description: 'The jobs.', schema: Type.Object({ data: Type.Array(jobSchema) }, closed) },
      },
      handle: ({ workspace }) => answer({ data: jobs.list(workspace.id).map(shown) }),
    }),
    gate.route({
      ...shared,
      method: 'get',
      path: '/v2/jobs/{id}',
      operationId: 'readJob',
      summary: 'Get the progress of a job',
      errors: ['jobUnknown'],
      responses: { 200: { description: 'The job.', schema: jobSchema } },
      handle: ({ workspace, param }) => {
        const job = jobs.find(workspace.id, param('id'))
        return job ? answer(shown(job)) : problem('jobUnknown', unknown)
      },
    }),
    gate.route({
      ...shared,
      method: 'delete',
      path: '/v2/jobs/{id}',
      operationId: 'stopJob',
      summary: 'Stop a job; what it has sent already stays sent',
      errors: ['jobUnknown'],
      responses: { 204: { description: 'The job stops, or was over.' } },
      handle: ({ workspace, param }) =>
        jobs.stop(workspace.id, param('id')) ? noContent : problem('jobUnknown', unknown),
    }),
  ])
}

function shown({ id, state, total, done, failed, startedAt, endedAt, problem }: ReplayJob) {
  return {
    id,
    state,
    total,
    done,
    failed,
    startedAt: isoTime(startedAt),
    endedAt: endedAt === undefined ? undefined : isoTime(endedAt),
    problem,
  }
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
