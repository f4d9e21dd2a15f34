/** An error code, with a link to the page that explains it. */
export function ErrorCode({ code, docs }: { readonly code: string; readonly docs: string | undefined }) {
  const shown = <code>{code}</code>
  return docs === undefined ? (
    shown
  ) : (
    <a href={docs} target="_blank" rel="noreferrer">
      {shown}
    </a>
  )
}
