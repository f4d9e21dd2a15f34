import './sign-in.css'
import { useState } from 'preact/hooks'
import { ApiError } from '../../api/request.ts'
import { linkProblem, openSession } from '../../api/session.ts'
import { Notice } from '../../parts/notice.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Logo } from '../logo.tsx'
import { SignInPicture } from './sign-in-picture.tsx'

/** Both ways to sign in, explained. A token is sent once and kept by the server only. */
export function SignIn() {
  const link = linkProblem.value
  return (
    <main class="sign-in">
      <section class="sign-form">
        <header>
          <Logo />
          <b>Sluice</b>
        </header>
        <div class="sign-body">
          <h1 tabIndex={-1}>Sign in to the studio</h1>
          <p class="soft">See every event, mend what failed, and prove what was deleted.</p>
          {link ? <Notice kind="bad">{linkText(link)}</Notice> : null}
          <ol class="sign-ways">
            <li>
              <h2>
                <Icon name="terminal" /> With the link of the server
              </h2>
              <p>
                The server prints one when it starts on a terminal, and anywhere with <code>--studio-link</code>. The
                link signs in once, within ten minutes.
              </p>
              <pre>
                <span class="hint">$ </span>sluice serve --studio-link{'\n'}
                <span class="hint">Studio, for the next ten minutes and once: http://…/studio/#code=…</span>
              </pre>
            </li>
            <li>
              <h2>
                <Icon name="key-round" /> With an access token
              </h2>
              <p>Access tokens are in the workspace file. You may do what the scopes of yours allow, for 12 hours.</p>
              <TokenForm />
            </li>
          </ol>
        </div>
        <footer class="hint">
          <Icon name="lock" />
          <span>The token stays with the server. The browser keeps a cookie that no script can read.</span>
        </footer>
      </section>
      <SignInPicture />
    </main>
  )
}

function TokenForm() {
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
      setProblem(tokenText(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      <label class="field">
        <span class="field-name">Access token</span>
        <input name="token" class="mono" type="password" autocomplete="off" spellcheck={false} required />
      </label>
      <button type="submit" disabled={isBusy}>
        Sign in
      </button>
      {problem === '' ? null : <Notice kind="bad">{problem}</Notice>}
    </form>
  )
}

function tokenText(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error)
  if (error.status !== 401) return error.message
  return 'No workspace has this access token. Check that it is complete, and that it was not revoked.'
}

function linkText({ code, status, message }: ApiError): string {
  if (code === 'studioLinkUsed') return 'This link was used already: it signs in once. Get another one.'
  if (code === 'studioLinkExpired') return 'This link has expired: it is valid for ten minutes. Get another one.'
  if (status === 401) return 'This link is not of this server, or is older than a day. Get another one.'
  return message
}
