import { useState } from 'preact/hooks'
import { ApiError } from '../api/request.ts'
import { openSession } from '../api/session.ts'
import { Notice } from '../parts/notice.tsx'

/** Asks for an access token. It is sent once and kept by the server only. */
export function SignIn() {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const token = String(new FormData(form).get('token') ?? '').trim()
    if (token === '') return setProblem('Enter an access token.')
    setBusy(true)
    try {
      await openSession({ token })
    } catch (error) {
      form.reset()
      setProblem(textOf(error))
      setBusy(false)
    }
  }
  return (
    <main class="alone">
      <h1 tabIndex={-1}>Sluice Studio</h1>
      <form onSubmit={(event) => void onSubmit(event)} aria-describedby="sign-in-help">
        <label for="token">Access token</label>
        <input id="token" name="token" type="password" autocomplete="off" spellcheck={false} required />
        <button type="submit" disabled={isBusy}>
          Sign in
        </button>
      </form>
      {problem === '' ? null : <Notice kind="bad">{problem}</Notice>}
      <p id="sign-in-help" class="hint">
        A token of the workspace file, or the link that <code>sluice serve</code> prints at its start. The token stays
        with the server; this browser keeps a session of 12 hours.
      </p>
    </main>
  )
}

function textOf(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error)
  return error.status === 401 ? 'No workspace has this access token.' : error.message
}
