import { useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'

/** Longest wait for a certificate, for which the whole event log is searched. */
const searchMs = 60_000

/** The proof of a deletion, the text that the command writes, to be printed or saved. */
export function Proof({ id }: { readonly id: string }) {
  const [text, setText] = useState<string>()
  const action = useAction()
  const read = (): void =>
    void action.run(async () => {
      setText(await request<string>(`/v2/regulations/${id}/report`))
      return undefined
    })
  const certify = (): void =>
    void action.run(async () => {
      const certificate = await request<object>(`/v2/regulations/${id}/certificate`, { waitMs: searchMs })
      save(JSON.stringify(certificate, null, 2), `certificate-${id}.json`, 'application/json')
      return undefined
    })
  return (
    <>
      <div class="row">
        <button type="button" disabled={action.isBusy} onClick={read}>
          Write the proof
        </button>
        <button type="button" disabled={action.isBusy} onClick={certify}>
          Save a certificate
        </button>
        {text === undefined ? null : (
          <>
            <button type="button" onClick={() => print()}>
              Print
            </button>
            <button type="button" onClick={() => save(text, `deletion-${id}.txt`, 'text/plain')}>
              Save as file
            </button>
          </>
        )}
      </div>
      <Outcome action={action} />
      {text === undefined ? null : <JsonBlock label="Proof of the deletion" value={text} />}
    </>
  )
}

function save(text: string, name: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
