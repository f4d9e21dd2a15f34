import { useEffect, useState } from 'preact/hooks'
import { startSession, visitor } from './api/session.ts'
import { lazy } from './parts/lazy.tsx'
import { Notice } from './parts/notice.tsx'
import { Frame } from './shell/frame.tsx'

const SignIn = lazy(() => import('./shell/sign-in/sign-in.tsx').then(({ SignIn }) => SignIn))

/** The page: a form to sign in, or the view that the address names. */
export function App() {
  const [problem, setProblem] = useState('')
  useEffect(() => {
    startSession().catch((error: Error) => setProblem(error.message))
  }, [])
  if (problem !== '' && visitor.value === undefined)
    return (
      <main class="alone">
        <Notice kind="bad">{problem} Reload the page when the server runs again.</Notice>
      </main>
    )
  if (visitor.value === undefined) return <main class="alone" aria-busy="true" />
  return visitor.value === null ? <SignIn /> : <Frame visitor={visitor.value} />
}
