import type { Clock, JsonObject } from '@sluice/core'
import { type DeletionJob, isDeletionOver } from '../deletion/deletion-job.ts'
import type { LedgerPlace } from '../ledger/ledger-place.ts'
import { hasNoIds } from '../ledger/restore/find-stored.ts'
import type { Regulation } from '../regulation.ts'
import type { RegulationStore } from '../regulation-store.ts'
import { RegulationError } from '../requests/regulation-error.ts'
import { signCertificate } from './certificate-signature.ts'
import { type CertifiedDestination, certifiedPlaces } from './certified-places.ts'
import type { CertifiedPlace, DeletionCertificate } from './deletion-certificate.ts'
import { findEntry, type KnownLedger, type LedgerEntry } from './find-entry.ts'
import { fingerprintIdentities } from './fingerprint-identities.ts'
import { givenIdentities } from './given-identities.ts'
import { keptData } from './kept-data.ts'
import { readingLedger } from './reading-ledger.ts'
import { SigningKey } from './signing/signing-key.ts'
import { ownPlaces, type UserSearch } from './user-search.ts'
import { type CertificateVerification, verifyCertificate } from './verify-certificate.ts'

/** Makes and verifies certificates of deletion. Source: packages/docs/behaviour/regulations.md#certificates. */
export interface Certificates {
  /**
   * Certifies the deletions of a regulation, which must be over.
   * @param ids by name, to be in the certificate as they are; without them it has fingerprints only.
   * @returns undefined when the workspace has no such regulation.
   * @throws RegulationError when there can be no certificate.
   */
  make(
    workspaceId: string,
    id: string,
    ids?: Readonly<Record<string, string>>,
  ): Promise<DeletionCertificate | undefined>
  /**
   * Checks a certificate, and searches the person again.
   * @param certificate as it was read, of whatever content.
   * @returns undefined when the workspace has no such regulation.
   * @throws RegulationError when it is no certificate of this regulation, or there is no ledger.
   */
  verify(workspaceId: string, id: string, certificate: JsonObject): Promise<CertificateVerification | undefined>
}

export interface CertificatesOptions {
  /** Of the ledger. Without it, there are no certificates. */
  readonly place: LedgerPlace | undefined
  readonly store: Pick<RegulationStore, 'find' | 'deletions' | 'ledger'>
  readonly clock: Pick<Clock, 'now'>
  /** Name and version of this program. */
  readonly processor: string
  /** Returns the destinations of a workspace as they are configured now. */
  destinations(workspaceId: string): readonly CertifiedDestination[]
  /** Searches what Sluice itself keeps for a person. */
  search(workspaceId: string, attributes: Regulation['attributes']): Promise<UserSearch>
  /** Searches destinations for the person of a regulation, as far as they can be searched. */
  searchDestinations(regulation: Regulation): Promise<UserSearch>
}

export function createCertificates(options: CertificatesOptions): Certificates {
  const { store, clock, processor, destinations } = options
  const requirePlace = (): LedgerPlace => {
    if (options.place !== undefined) return options.place
    throw new RegulationError(
      'ledgerMissing',
      'there is no certificate without a ledger of regulations: start the server with --ledger (or without --ledger none), and give createSluice the option ledger',
    )
  }
  const searchOwn = async (regulation: Regulation): Promise<UserSearch> =>
    hasNoIds(regulation) ? unsearchable() : options.search(regulation.workspaceId, regulation.attributes)
  const searchOthers = async (regulation: Regulation): Promise<UserSearch> => {
    if (!hasNoIds(regulation)) return options.searchDestinations(regulation)
    const all = destinations(regulation.workspaceId)
    return { searched: [], notSearched: all.map(({ id, name }) => ({ where: name, destinationId: id, reason: noIds })) }
  }
  return {
    make: async (workspaceId, id, ids = {}) => {
      const regulation = await store.find(workspaceId, id)
      if (regulation === undefined) return undefined
      const place = requirePlace()
      const jobs = await store.deletions.ofRegulation(workspaceId, id)
      requireOver(regulation, jobs)
      const entry = await entryOf({ place, store }, regulation)
      const { fingerprints } = entry.record
      const key = (await place.kept('key')) ?? ''
      const identities = [
        ...fingerprintIdentities(fingerprints),
        ...givenIdentities(key, regulation, fingerprints, ids),
      ]
      const names = Object.keys(fingerprints).sort()
      const configured = destinations(workspaceId)
      const places = certifiedPlaces(regulation, jobs, configured, names, await searchOwn(regulation))
      return signCertificate(await readingLedger(() => SigningKey.of(place)), {
        certificate_version: 1,
        subject_request_id: id,
        subject_request_type: 'erasure',
        controller_id: workspaceId,
        received_time: regulation.createdAt,
        expected_completion_time: new Date(Math.max(...jobs.map(({ updatedAt }) => updatedAt))).toISOString(),
        request_status: statusOf(regulation, places),
        subject_identities: identities,
        places,
        kept: keptData(names, places, configured),
        ledger: {
          place: place.name,
          id: (await place.kept('id')) ?? '',
          chain: entry.chain,
          line: entry.line,
          hash: entry.hash,
          written_time: entry.at,
        },
        issued_time: new Date(clock.now()).toISOString(),
        processor,
      })
    },

    verify: async (workspaceId, id, certificate) => {
      const regulation = await store.find(workspaceId, id)
      if (regulation === undefined) return undefined
      const place = requirePlace()
      const [own, others] = await Promise.all([searchOwn(regulation), searchOthers(regulation)])
      const search = {
        searched: [...own.searched, ...others.searched],
        notSearched: [...own.notSearched, ...others.notSearched],
      }
      return readingLedger(() => verifyCertificate({ place, store }, regulation, certificate, search))
    },
  }
}

function requireOver({ regulationType }: Regulation, jobs: readonly DeletionJob[]): void {
  if (regulationType !== 'suppress_with_delete' || jobs.length === 0)
    throw new RegulationError('deletionsNone', 'the regulation deletes nothing, so there is nothing to certify')
  const open = jobs.filter((job) => !isDeletionOver(job)).length
  const waiting = jobs.filter(({ status }) => status === 'waiting').length
  if (waiting > 0)
    throw new RegulationError(
      'deletionsOpen',
      `${waiting} of ${jobs.length} deletions wait for SLUICE_LEDGER_KEY, because the store was restored and the ids of the person are encrypted in the ledger: start the server with the key`,
    )
  if (open > 0)
    throw new RegulationError(
      'deletionsOpen',
      `${open} of ${jobs.length} deletions are not over yet: GET /v2/regulations/{id}/deletions shows them, and when they are tried again`,
    )
}

function statusOf({ canceled }: Regulation, places: readonly CertifiedPlace[]): DeletionCertificate['request_status'] {
  if (canceled) return 'cancelled'
  return places.every(({ status }) => status === 'complete') ? 'completed' : 'incomplete'
}

async function entryOf(ledger: KnownLedger, regulation: Regulation): Promise<LedgerEntry> {
  const entry = await readingLedger(() => findEntry(ledger, regulation))
  if (entry !== undefined) return entry
  throw new RegulationError('ledgerUnreadable', `the ledger in ${ledger.place.name} does not have the regulation`)
}

const noIds = 'the store was restored and the ledger has no ids of the person'

function unsearchable(): UserSearch {
  return { searched: [], notSearched: Object.values(ownPlaces).map(({ where }) => ({ where, reason: noIds })) }
}
