import { readParts } from '../ledger/chain/checked-parts.ts'
import { LedgerBrokenError } from '../ledger/ledger-errors.ts'
import type { DeletionCertificate } from './deletion-certificate.ts'
import { findInChain, type KnownLedger, type RegulationName } from './find-entry.ts'
import { fingerprintIdentities } from './fingerprint-identities.ts'
import { canonicalJson } from './signing/canonical-json.ts'

type CertifiedPart = Pick<DeletionCertificate, 'ledger' | 'subject_identities'>

/**
 * Checks that the chain that a certificate names has the line in its place, and that this line has the regulation and its
 * person. @returns what is wrong; undefined when all holds.
 */
export async function lineProblem(
  known: KnownLedger,
  name: RegulationName,
  { ledger, subject_identities }: CertifiedPart,
): Promise<string | undefined> {
  const { place } = known
  if ((await place.kept('id')) !== ledger.id) return `the ledger in ${place.name} is another one`
  // The name comes from the certificate, and places make paths of it.
  if (!(await place.chains()).includes(ledger.chain)) return `there is no chain ${ledger.chain} in ${place.name}`
  try {
    const parts = (await readParts(known.store)).get(ledger.chain) ?? []
    const entry = await findInChain(known, { chain: ledger.chain, parts }, name)
    if (entry === undefined) return `chain ${ledger.chain} in ${place.name} does not have the regulation`
    if (entry.line !== ledger.line || entry.hash !== ledger.hash)
      return `line ${ledger.line} of chain ${ledger.chain} in ${place.name} is not the one that was certified`
    const certified = subject_identities.filter((each) => each.identity_format === 'hmac-sha256')
    const isSame = textOf(certified) === textOf(fingerprintIdentities(entry.record.fingerprints))
    return isSame ? undefined : 'the certificate is about other ids than the line of the ledger'
  } catch (error) {
    if (error instanceof LedgerBrokenError) return error.problem
    throw error
  }
}

const textOf = (identities: CertifiedPart['subject_identities']): string =>
  canonicalJson(identities.map((each) => ({ ...each })))
