import type { DeletionJob, Deletions, Regulation, Regulations } from '@sluice/regulation'
import type { Static } from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem, scopeMissing } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { cursorOf, placeOf } from './cursor-of.ts'
import { overviewQuery, overviewSchema, pageSize } from './regulations-schemas.ts'

/** Pages of the store that are looked through for one that has a match. */
const pagesMax = 20

interface OverviewParts {
  readonly gate: TokenGate
  readonly regulations: Pick<Regulations, 'list'>
  readonly deletions: Pick<Deletions, 'ofRegulation'>
}

/**
 * `GET /v2/regulations/overview`: regulations with what people look for: dates, states, progress of deletions. The shape of
 * `GET /v2/regulations` is that of RudderStack. Source: packages/docs/api/regulations.md#overview.
 */
export function overviewRoute({ gate, regulations, deletions }: OverviewParts): Route {
  return gate.route({
    method: 'get',
    path: '/v2/regulations/overview',
    operationId: 'overviewRegulations',
    summary: 'List regulations with their dates, states and the progress of deletions',
    area: 'Data Regulation',
    scopes: ['read'],
    query: overviewQuery,
    errors: ['cursorInvalid'],
    responses: { 200: { description: 'A page of regulations.', schema: overviewSchema } },
    handle: async ({ workspace, query, allows }) => {
      const { limit = pageSize, userId, deletions: wanted } = query
      if (wanted !== undefined && !allows('operate')) return scopeMissing('operate')
      let after = placeOf(query.after_cursor)
      if (after === undefined)
        return problem('cursorInvalid', 'unknown after_cursor: use paging.next of the previous page')
      const showsDeletions = allows('operate')
      const summed = async (regulation: Regulation) => {
        const hasJobs = showsDeletions && regulation.regulationType === 'suppress_with_delete'
        const jobs = hasJobs ? await deletions.ofRegulation(workspace.id, regulation.id) : undefined
        return { regulation, deletions: jobs ? sumOf(jobs) : undefined }
      }
      const data: ReturnType<typeof shown>[] = []
      for (let pages = 0; pages < pagesMax && after !== undefined && data.length === 0; pages += 1) {
        const page: Awaited<ReturnType<Regulations['list']>> = await regulations.list(workspace.id, {
          after,
          limit,
          userId,
        })
        const found = await Promise.all(page.regulations.filter((each) => isWanted(each, query)).map(summed))
        data.push(...found.filter((each) => wanted === undefined || (each.deletions?.[wanted] ?? 0) > 0).map(shown))
        after = page.next
      }
      const next = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      )
      if (after !== undefined) next.set('after_cursor', cursorOf(after))
      return answer({ data, paging: after === undefined ? {} : { next: `/v2/regulations/overview?${next}` } })
    },
  })
}

function isWanted(
  { canceled, regulationType }: Regulation,
  { state, regulationType: type = regulationType }: Static<typeof overviewQuery>,
): boolean {
  return regulationType === type && (state === undefined || (state === 'canceled') === canceled)
}

interface DeletionSum {
  readonly total: number
  readonly complete: number
  readonly open: number
  readonly aborted: number
  readonly waiting?: number
}

function sumOf(jobs: readonly DeletionJob[]): DeletionSum {
  const count = (...statuses: readonly DeletionJob['status'][]): number =>
    jobs.filter(({ status }) => statuses.includes(status)).length
  const waiting = count('waiting')
  return {
    total: jobs.length,
    complete: count('complete'),
    open: count('pending', 'waiting', 'running', 'failed'),
    aborted: count('aborted'),
    waiting: waiting > 0 ? waiting : undefined,
  }
}

function shown({ regulation, deletions }: { readonly regulation: Regulation; readonly deletions?: DeletionSum }) {
  const { id, regulationType, attributes, createdAt, canceled } = regulation
  return {
    id,
    regulationType,
    attributes,
    createdAt,
    state: canceled ? 'canceled' : 'inForce',
    deletions,
  }
}
