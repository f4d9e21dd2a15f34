import { useEffect, useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ExactTime } from '../../parts/format/exact-time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, filters } from '../../shell/router.ts'
import { CertificateSignature } from './certificate-signature.tsx'
import { type DeletionCertificate, identityText, statement, statusTexts } from './deletion-certificate.ts'

/** Longest wait for a certificate, for which the whole event log is searched. */
const searchMs = 60_000

/** The certificate of one deletion as a page for people: to be read, printed, and saved in the form that is signed. */
export function Certificate({ id }: { readonly id: string }) {
  const { user } = filters.value
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
    <article aria-label="Certificate of deletion" aria-busy={action.isBusy || undefined}>
      <h2>Certificate of deletion</h2>
      <p class="row on-screen">
        <a href={addressOf('/privacy', { user })}>{user ? 'Back to this user' : 'Back to all regulations'}</a>
      </p>
      <Outcome action={action} />
      {certificate === undefined ? (
        action.problem === undefined ? (
          <p class="hint">Searching what is kept, and signing …</p>
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
              Download the signed certificate
            </button>
            <button type="button" onClick={() => print()}>
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
  )
}

function CertificateText({ certificate }: { readonly certificate: DeletionCertificate }) {
  const { places, kept, subject_identities: identities } = certificate
  const ids = identities.filter(({ identity_format }) => identity_format === 'raw')
  const prints = identities.filter(({ identity_format }) => identity_format === 'hmac-sha256')
  return (
    <>
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
      <p class="hint">
        A certificate does not cover copies in backups, on disks, or with others to whom a destination passed data on.
      </p>
      <CertificateSignature certificate={certificate} />
    </>
  )
}
