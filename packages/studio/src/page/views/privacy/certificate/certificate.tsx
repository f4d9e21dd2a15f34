import '../privacy.css'
import { useEffect, useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { ExactTime } from '../../../parts/format/exact-time.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { PageHead } from '../../../parts/page/page-head.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { saveFile } from '../../../parts/save-file.ts'
import { Icon } from '../../../parts/signs/icon.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { addressOf } from '../../../shell/router.ts'
import type { Deletions } from '../regulation.ts'
import { CertificateSignature } from './certificate-signature.tsx'
import { type DeletionCertificate, identityText, statement, statusTexts } from './deletion-certificate.ts'

/** Longest wait for a certificate, for which the whole event log is searched. */
const searchMs = 60_000

/** The certificate of one deletion as a page for people: to be read, printed, and saved in the form that is signed. */
export function Certificate({ id }: { readonly id: string }) {
  const user = useUserId(id)
  const [isNamed, setNamed] = useState(false)
  const [certificate, setCertificate] = useState<DeletionCertificate>()
  const action = useAction()
  // Made once for each choice: another one would have another time and signature than the page that was printed.
  useEffect(() => {
    void action.run(async () => {
      const path = `/v2/regulations/${encodeURIComponent(id)}/certificate`
      const named = { method: 'POST', body: { ids: { userId: user } }, waitMs: searchMs } as const
      setCertificate(await request<DeletionCertificate>(path, isNamed ? named : { waitMs: searchMs }))
      return undefined
    })
  }, [id, isNamed])
  return (
    <>
      <PageHead
        title="Certificate of deletion"
        crumbs={[
          { text: 'Privacy', href: addressOf('/privacy') },
          ...(user
            ? [{ text: 'Back to this person', href: addressOf(`/privacy/requests/${encodeURIComponent(id)}`) }]
            : []),
        ]}
      />
      <article class="paper certificate" aria-label="Certificate of deletion" aria-busy={action.isBusy || undefined}>
        <Outcome action={action} />
        {certificate === undefined ? (
          action.problem === undefined ? (
            <>
              <p>Searching what is kept, and signing …</p>
              <Skeleton lines={6} />
            </>
          ) : null
        ) : (
          <>
            <div class="row on-screen">
              <button
                type="button"
                class="main"
                onClick={() =>
                  saveFile(JSON.stringify(certificate, null, 2), `certificate-${id}.json`, 'application/json')
                }
              >
                <Icon name="download" />
                Download the signed certificate
              </button>
              <button type="button" onClick={() => print()}>
                <Icon name="printer" />
                Print
              </button>
              {user ? (
                <label>
                  <input
                    type="checkbox"
                    checked={isNamed}
                    disabled={action.isBusy}
                    onChange={(event) => setNamed(event.currentTarget.checked)}
                  />
                  Name the person in it
                </label>
              ) : null}
            </div>
            <CertificateText certificate={certificate} />
          </>
        )}
      </article>
    </>
  )
}

/** Reads whom the deletion is about: the address of the page has only the id of the regulation. */
function useUserId(id: string): string | undefined {
  const address = `/v2/regulations/${encodeURIComponent(id)}/deletions`
  const { value } = usePolled(address, (signal) => request<Deletions>(address, { signal }), 0).state.value
  return value?.regulation.attributes['userId']
}

function CertificateText({ certificate }: { readonly certificate: DeletionCertificate }) {
  const { places, kept, subject_identities: identities } = certificate
  const ids = identities.filter(({ identity_format }) => identity_format === 'raw')
  const prints = identities.filter(({ identity_format }) => identity_format === 'hmac-sha256')
  return (
    <>
      <h2>What is certified</h2>
      <Notice kind={certificate.request_status === 'completed' ? 'good' : 'bad'}>{statement(certificate)}</Notice>
      <dl class="facts">
        <dt>Person</dt>
        <dd>
          {ids.length === 0
            ? `not named: known by fingerprints of ${prints.map(({ identity_type: type }) => identityText(type)).join(', ')}`
            : ids
                .map(({ identity_type: type, identity_value }) => `${identityText(type)} ${identity_value}`)
                .join(', ')}
        </dd>
        <dt>Request</dt>
        <dd>
          erasure, regulation <code>{certificate.subject_request_id}</code>
        </dd>
        <dt>Workspace</dt>
        <dd>{certificate.controller_id}</dd>
        <dt>Received</dt>
        <dd>
          <ExactTime at={certificate.received_time} />
        </dd>
        <dt>Deleted by</dt>
        <dd>
          <ExactTime at={certificate.expected_completion_time} />
        </dd>
        <dt>Certified</dt>
        <dd>
          <ExactTime at={certificate.issued_time} />, by {certificate.processor}
        </dd>
      </dl>
      <DataTable
        caption="Places that may have had data of the person"
        rows={places}
        keyOf={({ name, destination_id }) => `${destination_id ?? ''} ${name}`}
        empty="There was none."
        columns={[
          { title: 'place', cell: ({ name }) => name },
          { title: 'kind', cell: ({ destination_id }) => (destination_id === undefined ? 'in Sluice' : 'destination') },
          { title: 'searched by', cell: ({ searched_by: by }) => (by.length === 0 ? 'not searched' : by.join(', ')) },
          {
            title: 'result',
            cell: ({ status }) => (
              <span class={status === 'complete' ? 'in good' : 'in bad'}>{statusTexts[status]}</span>
            ),
          },
          { title: 'what was deleted, or why not', cell: ({ deleted, reason }) => deleted ?? reason ?? 'no details' },
          { title: 'ended', cell: ({ ended_time: at }) => (at === undefined ? '' : <ExactTime at={at} />) },
        ]}
      />
      <h2>Kept, and why</h2>
      <ul>
        {kept.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <p class="paper-note">
        A certificate does not cover copies in backups, on disks, or with others to whom a destination passed data on.
      </p>
      <CertificateSignature certificate={certificate} />
    </>
  )
}
