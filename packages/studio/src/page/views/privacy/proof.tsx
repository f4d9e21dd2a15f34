import { useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { useAction } from '../../parts/use-action.ts'
import { addressOf } from '../../shell/router.ts'

/** The proof of a deletion, the text that the command writes, to be printed or saved; and the way to its certificate. */
export function Proof({ id, userId }: { readonly id: string; readonly userId: string }) {
  const [text, setText] = useState<string>()
  const action = useAction()
  const read = (): void =>
    void action.run(async () => {
      setText(await request<string>(`/v2/regulations/${id}/report`))
      return undefined
    })
  return (
    <>
      <div class="row">
        <button type="button" disabled={action.isBusy} onClick={read}>
          Write the proof
        </button>
        <a href={addressOf(`/privacy/certificates/${id}`, { user: userId })}>Certificate of this deletion</a>
        {text === undefined ? null : (
          <>
            <button type="button" onClick={() => print()}>
              Print
            </button>
            <button type="button" onClick={() => saveFile(text, `deletion-${id}.txt`, 'text/plain')}>
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
