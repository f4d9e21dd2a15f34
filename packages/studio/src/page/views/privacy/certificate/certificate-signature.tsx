import type { DeletionCertificate } from './deletion-certificate.ts'

/** By what a certificate can be recognised as genuine, and how to check that. */
export function CertificateSignature({ certificate }: { readonly certificate: DeletionCertificate }) {
  const { subject_request_id: id, ledger, subject_identities: identities } = certificate
  return (
    <>
      <h2>Signature</h2>
      <dl class="facts">
        <dt>Signature</dt>
        <dd>
          <code>{certificate.processor_signature}</code> (Ed25519)
        </dd>
        <dt>Public key</dt>
        <dd>
          <code>{certificate.processor_public_key}</code>
        </dd>
        <dt>Ledger</dt>
        <dd>
          {ledger.place}, line {ledger.line} of chain <code>{ledger.chain}</code>, with the hash{' '}
          <code>{ledger.hash}</code>
        </dd>
        <dt>Fingerprints</dt>
        <dd>
          {identities
            .filter(({ identity_format }) => identity_format === 'hmac-sha256')
            .map(({ identity_type: type, identity_value: value }) => (
              <div key={type}>
                {type}: <code>{value}</code>
              </div>
            ))}
        </dd>
      </dl>
      <h2>How to verify it</h2>
      <ol>
        <li>Download the signed certificate: this page is a reading of it, and is not signed itself.</li>
        <li>
          Run <code>sluice regulations verify certificate-{id}.json</code>. It checks the signature and the ledger, and
          searches for the person again in every place that can be searched.
        </li>
        <li>
          Without Sluice: the signature is of all members but <code>processor_signature</code>, as canonical JSON (RFC
          8785). Compare the public key with the one that the operator published.
        </li>
      </ol>
    </>
  )
}
