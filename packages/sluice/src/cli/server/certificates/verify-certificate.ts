import { readFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { CertificateVerification } from '@sluice/regulation'
import { CliError } from '../../cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

/** As `POST /v2/regulations/{id}/verification` answers. */
interface Verification extends Omit<CertificateVerification, 'search'> {
  readonly searched: readonly {
    readonly where: string
    readonly destinationId?: string
    readonly count: number
    readonly note?: string
    readonly since?: string
  }[]
  readonly notSearched: readonly { readonly where: string; readonly destinationId?: string; readonly reason: string }[]
}

/**
 * `sluice regulations verify`: exit status 1 unless the certificate holds and nothing of the person was found. The
 * certificate of a request of OpenDSR may have several, each of which is verified.
 */
export async function verifyCertificate(file: string, flags: ServerFlags): Promise<void> {
  const certificate = await readCertificate(file)
  const parts = partsOf(certificate)
  if (parts === undefined) return verifyOne(file, certificate, flags)
  const { hasValidSignature } = await import('@sluice/regulation')
  // The server checks the key of each part; that of the whole must be the same.
  const isOfSameKey = parts.every((part) => part['processor_public_key'] === certificate['processor_public_key'])
  const isSigned = isOfSameKey && (await hasValidSignature(certificate))
  const verified: Verification[] = []
  for (const part of parts) verified.push(await verify(file, part, flags))
  const holds = isSigned && verified.every((each) => each.holds)
  const texts = parts.map((part, index) => {
    const name = `${file}, ${index + 1} of ${parts.length}`
    const each = verified[index]
    return each === undefined ? '' : verificationText(name, String(part['request_status']), each)
  })
  printLine(
    flags.json
      ? JSON.stringify({ holds, isSigned, certificates: verified }, null, 2)
      : [...texts, isSigned ? whole.right : whole.wrong].join('\n\n'),
  )
  if (!holds) process.exitCode = 1
}

const whole = {
  right: 'the signature of all together is right',
  wrong: 'the signature of all together is wrong: the certificate was changed, or another key signed it',
}

/** Returns the certificates in a certificate of several. */
function partsOf({ certificates }: JsonObject): readonly JsonObject[] | undefined {
  return Array.isArray(certificates) && certificates.length > 0 ? certificates.filter(isJsonObject) : undefined
}

async function verifyOne(file: string, certificate: JsonObject, flags: ServerFlags): Promise<void> {
  const verification = await verify(file, certificate, flags)
  const status = String(certificate['request_status'])
  printLine(flags.json ? JSON.stringify(verification, null, 2) : verificationText(file, status, verification))
  if (!verification.holds) process.exitCode = 1
}

async function verify(file: string, certificate: JsonObject, flags: ServerFlags): Promise<Verification> {
  const { subject_request_id: id } = certificate
  if (typeof id !== 'string') throw new CliError(`${file} is no certificate: it has no subject_request_id`)
  const { hasValidSignature } = await import('@sluice/regulation')
  // Here as well, so that the server need not be trusted with it.
  const isSignedHere = await hasValidSignature(certificate)
  const path = `/v2/regulations/${encodeURIComponent(id)}/verification`
  const answered = await askServer<Verification>(flags, 'POST', path, { certificate })
  return { ...answered, isSigned: answered.isSigned && isSignedHere, holds: answered.holds && isSignedHere }
}

async function readCertificate(file: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be read (${error.code})`)
  })
  try {
    const certificate: unknown = JSON.parse(text)
    if (isJsonObject(certificate)) return certificate
  } catch {
    // Reported below.
  }
  throw new CliError(`${file} is no certificate: it is not a JSON object`)
}

function verificationText(file: string, status: string, verification: Verification): string {
  const { isSigned, isLedgerKey, ledgerProblem, isCanceled, canceledAt, searched, notSearched, holds } = verification
  const rows = [
    ...searched.map(({ count, note, since, ...place }) => [
      placeName(place),
      `${count === 0 ? 'nothing found' : `${count} found`}${since === undefined ? '' : `, since ${since}`}${note === undefined ? '' : `: ${printable(note)}`}`,
    ]),
    ...notSearched.map(({ reason, ...place }) => [placeName(place), `not searched: ${printable(reason)}`]),
  ]
  return [
    `${file}: ${printable(status)}`,
    `signature  ${isSigned ? 'right' : 'wrong: the certificate was changed, or never signed'}`,
    `key        ${isLedgerKey ? 'that of the ledger' : 'not that of the ledger: somebody else signed it'}`,
    `ledger     ${ledgerProblem === undefined ? 'whole up to the line of the regulation' : printable(ledgerProblem)}`,
    ...(isCanceled
      ? [
          `the regulation is cancelled${canceledAt === undefined ? '' : ` since ${canceledAt}`}: events are accepted again`,
        ]
      : []),
    '',
    table([['where', 'result'], ...rows], 2),
    '',
    holds ? 'the certificate holds, and nothing of the person was found' : 'the certificate does not hold now',
  ].join('\n')
}

function placeName({ where, destinationId }: { readonly where: string; readonly destinationId?: string }): string {
  return printable(destinationId === undefined || destinationId === where ? where : `${where} (${destinationId})`)
}
