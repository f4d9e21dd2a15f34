import type { DeletionCertificate } from '@sluice/regulation'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'
import { fileText } from './file-text.ts'

export interface CertifyFlags extends ServerFlags {
  readonly out?: string
  readonly id: readonly (readonly [name: string, value: string])[]
}

/** `sluice regulations certificate`: prints or files a certificate. */
export async function certify(id: string, { out, id: ids, ...flags }: CertifyFlags): Promise<void> {
  const path = `/v2/regulations/${encodeURIComponent(id)}/certificate`
  const certificate =
    ids.length === 0
      ? await askServer<DeletionCertificate>(flags, 'GET', path)
      : await askServer<DeletionCertificate>(flags, 'POST', path, { ids: Object.fromEntries(ids) })
  const text = JSON.stringify(certificate, null, 2)
  if (out === undefined) return printLine(text)
  await fileText(out, text)
  printLine(`wrote ${out} (${statusText(certificate)})`)
}

function statusText({ request_status, places }: DeletionCertificate): string {
  const complete = places.filter(({ status }) => status === 'complete').length
  return `${request_status}: ${complete} of ${places.length} places are complete`
}
