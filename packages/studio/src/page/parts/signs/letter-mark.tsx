/** Two letters for a product, in place of its logo. @param name such as "Google Analytics 4". */
export function LetterMark({ name }: { readonly name: string }) {
  return (
    <span class="mark" aria-hidden="true">
      {lettersOf(name)}
    </span>
  )
}

function lettersOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const [first = '', second = ''] = words
  return (second === '' ? first.slice(0, 2) : `${first.slice(0, 1)}${second.slice(0, 1)}`).toUpperCase()
}
