import { type Clock, createKeyedQueue, identifierText, type JsonObject } from '@sluice/core'
import { hashText } from '@sluice/core/hash'
import type { Certificates } from '../certificate/certificates.ts'
import { readingLedger } from '../certificate/reading-ledger.ts'
import { canonicalJson } from '../certificate/signing/canonical-json.ts'
import { SigningKey } from '../certificate/signing/signing-key.ts'
import { x509Certificate } from '../certificate/signing/x509-certificate.ts'
import type { LedgerPlace } from '../ledger/ledger-place.ts'
import type { RegulationStore } from '../regulation-store.ts'
import type { Regulations } from '../regulations.ts'
import type { RegulatedUser } from '../requests/check-request.ts'
import { RegulationError } from '../requests/regulation-error.ts'
import type { FindUsers } from '../requests/search-person.ts'
import { findPersons } from './find-persons.ts'
import { mergeReports } from './merge-reports.ts'
import {
  isSubjectRequestId,
  type ParsedSubjectRequest,
  parseSubjectRequest,
  type SubjectRequestRules,
} from './parse-subject-request.ts'
import { reportOf, requestState, type SubjectRequestState } from './request-state.ts'
import { certifySubject } from './subject-certificate.ts'
import { usersOf } from './subject-identifiers.ts'
import { processorDomain, type SubjectRequest } from './subject-request.ts'
import { SubjectRequestError } from './subject-request-error.ts'

/** Answers the requests of controllers. Source: packages/docs/api/opendsr.md. */
export interface SubjectRequests {
  /** Whether requests are taken: answers must be signed, and the key is kept with the ledger. */
  readonly isSupported: boolean
  /**
   * Takes a request. Repeating it changes nothing.
   * @param address see `SubjectRequest`.
   * @throws RegulationError, SuppressionUnavailableError
   */
  create(workspaceId: string, body: JsonObject, address: string): Promise<SubjectRequest>
  /** Returns the state of a request; undefined when the workspace has none with that id. */
  find(workspaceId: string, id: string): Promise<SubjectRequestState | undefined>
  /**
   * Cancels an erasure that is pending: events of the person are accepted again. Repeating it is fine.
   * @returns undefined when the workspace has no such request. @throws RegulationError, SuppressionUnavailableError
   */
  cancel(workspaceId: string, id: string): Promise<SubjectRequest | undefined>
  /** Returns the certificate of an erasure, or the report of the person. @throws RegulationError when there is none yet. */
  results(workspaceId: string, id: string): Promise<object | undefined>
  /** Returns the signature of a text in base64. @throws RegulationError */
  sign(text: string): Promise<string>
  /** Returns the certificate of the key that signs, as PEM. @throws RegulationError */
  certificate(domain: string): Promise<string>
}

interface SubjectRequestsOptions {
  /** Of the ledger. Without it, no requests are taken. */
  readonly place: LedgerPlace | undefined
  readonly store: Pick<RegulationStore, 'find' | 'deletions' | 'requests'>
  readonly regulations: Pick<Regulations, 'create' | 'cancel'>
  readonly certificates: Pick<Certificates, 'make'>
  readonly clock: Pick<Clock, 'now'>
  readonly callbackProblem: SubjectRequestRules['callbackProblem']
  /** Finds users whose events have any of the identifiers. */
  findUsers(workspaceId: string, search: Parameters<FindUsers>[0]): ReturnType<FindUsers>
  /** Returns what is held of a user, without identifiers. */
  report(workspaceId: string, userId: string): Promise<JsonObject>
  /** Called when there is something to report. */
  onChanged(): void
}

export function createSubjectRequests(options: SubjectRequestsOptions): SubjectRequests {
  const { store, regulations, certificates, clock } = options
  const { requests } = store
  /** Two calls with the same id must not become two regulations. */
  const calls = createKeyedQueue()
  const requirePlace = (): LedgerPlace => {
    if (options.place !== undefined) return options.place
    throw new RegulationError(
      'ledgerMissing',
      'answers of OpenDSR are signed, and the key is kept with the ledger of regulations: start the server with --ledger, or use POST /v2/regulations',
    )
  }
  const stateOf = (request: SubjectRequest): Promise<SubjectRequestState> => stateOfRequest(store, request)

  const take = async (
    workspaceId: string,
    { id, type, identifiers, callbackUrls }: ParsedSubjectRequest,
    digest: string,
    address: string,
  ): Promise<SubjectRequest> => {
    const known = await requests.find(workspaceId, id)
    if (known !== undefined) return requireSame(known, digest)
    const persons = await findPersons(identifiers, (search) => options.findUsers(workspaceId, search))
    const answered: Pick<SubjectRequest, 'regulationIds' | 'report'> =
      type === 'erasure'
        ? { regulationIds: await erase(workspaceId, usersOf(identifiers, persons)) }
        : { regulationIds: [], report: mergeReports(await reportAll(workspaceId, persons)) }
    const now = clock.now()
    const reported = reportOf({ status: 'pending', isOver: false })
    const request: SubjectRequest = {
      workspaceId,
      id,
      type,
      digest,
      receivedAt: now,
      address,
      ...answered,
      callbacks: callbackUrls.map((url) => ({ url, reported, attempts: 0, dueAt: now })),
      callbacksFailed: 0,
    }
    const added = requests.add({ request, dueAt: callbackUrls.length > 0 ? now : undefined })
    const stored = await added.catch(async (error: unknown) => {
      await withdraw(workspaceId, answered.regulationIds)
      throw error
    })
    // Another process took the same request meanwhile: what it made stays.
    const kept = new Set(stored.regulationIds)
    await withdraw(
      workspaceId,
      answered.regulationIds.filter((each) => !kept.has(each)),
    )
    options.onChanged()
    return requireSame(stored, digest)
  }

  /** Cancels regulations that no request knows: their person would stay suppressed for ever. */
  const withdraw = async (workspaceId: string, regulationIds: readonly string[]): Promise<void> => {
    for (const regulationId of regulationIds) await regulations.cancel(workspaceId, regulationId)
  }

  const erase = async (workspaceId: string, users: readonly RegulatedUser[]): Promise<readonly string[]> => {
    const created = await regulations.create(workspaceId, { regulationType: 'suppress_with_delete', users })
    if (created.length !== users.length) throw new Error('there is not one regulation for each user')
    return created.map((regulation) => regulation.id)
  }

  const reportAll = async (workspaceId: string, persons: readonly string[]): Promise<readonly JsonObject[]> => {
    const reports: JsonObject[] = []
    for (const person of persons) reports.push(await options.report(workspaceId, identifierText(person)))
    return reports
  }

  return {
    isSupported: options.place !== undefined,
    create: async (workspaceId, body, address) => {
      requirePlace()
      const parsed = parseSubjectRequest(body, {
        domain: processorDomain(address),
        callbackProblem: options.callbackProblem,
      })
      if ('problems' in parsed) throw new SubjectRequestError('subjectRequestInvalid', parsed.problems)
      const digest = digestOf(body)
      return calls.run(JSON.stringify([workspaceId, parsed.request.id]), () =>
        take(workspaceId, parsed.request, digest, address),
      )
    },
    find: async (workspaceId, id) => {
      const request = isSubjectRequestId(id) ? await requests.find(workspaceId, id) : undefined
      return request && stateOf(request)
    },
    cancel: (workspaceId, id) =>
      calls.run(JSON.stringify([workspaceId, id]), async () => {
        const request = isSubjectRequestId(id) ? await requests.find(workspaceId, id) : undefined
        if (request === undefined) return undefined
        const { status } = await stateOf(request)
        if (request.regulationIds.length === 0 || (status !== 'pending' && status !== 'cancelled'))
          throw new RegulationError(
            'subjectRequestBegun',
            `the request is ${status}; only a pending one can be cancelled. DELETE /v2/regulations/{id} lifts the suppression of an erasure`,
          )
        // All of them, or the call is repeated: until then the request stays pending.
        for (const regulationId of request.regulationIds) await regulations.cancel(workspaceId, regulationId)
        await requests.bringForward(workspaceId, request.regulationIds, clock.now())
        options.onChanged()
        return request
      }),
    results: async (workspaceId, id) => {
      const request = isSubjectRequestId(id) ? await requests.find(workspaceId, id) : undefined
      if (request === undefined) return undefined
      if (request.regulationIds.length === 0) return request.report
      const [first, ...more] = (await stateOf(request)).hasResults
        ? await Promise.all(request.regulationIds.map((regulationId) => certificates.make(workspaceId, regulationId)))
        : []
      const others = more.flatMap((each) => each ?? [])
      if (first === undefined || others.length < more.length)
        throw new RegulationError('resultsMissing', 'the erasure is not over yet: its status shows when it is expected')
      return readingLedger(async () => certifySubject(await SigningKey.of(requirePlace()), request, [first, ...others]))
    },
    sign: (text) => readingLedger(async () => (await SigningKey.of(requirePlace())).sign(text)),
    certificate: (domain) => readingLedger(async () => x509Certificate(await SigningKey.of(requirePlace()), domain)),
  }
}

/** Returns the state of a stored request. */
export async function stateOfRequest(
  store: Pick<RegulationStore, 'find' | 'deletions'>,
  request: SubjectRequest,
): Promise<SubjectRequestState> {
  const { workspaceId, regulationIds } = request
  const [regulations, jobs] = await Promise.all([
    Promise.all(regulationIds.map((id) => store.find(workspaceId, id))),
    Promise.all(regulationIds.map((id) => store.deletions.ofRegulation(workspaceId, id))),
  ])
  return requestState(
    request,
    regulations.flatMap((regulation) => regulation ?? []),
    jobs.flat(),
  )
}

function requireSame(stored: SubjectRequest, digest: string): SubjectRequest {
  if (stored.digest === digest) return stored
  throw new SubjectRequestError('subjectRequestTaken', [
    'there is another request with this subject_request_id; a new request needs a new one',
  ])
}

function digestOf(body: JsonObject): string {
  try {
    return hashText('sha256', canonicalJson(body), 'base64url')
  } catch {
    throw new SubjectRequestError('subjectRequestInvalid', ['the request is nested too deeply'])
  }
}
