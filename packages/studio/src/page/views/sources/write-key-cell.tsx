import { allows } from '../../api/session.ts'
import { showToast } from '../../parts/page/toasts.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Tag } from '../../parts/signs/tag.tsx'
import { maskedText, type Source } from '../destinations/records.ts'

/** Characters that tell keys apart without showing them. */
const shownMax = 4

/** The end of a write key, and a button that copies all of it; only the mask without the scope `write`. */
export function WriteKeyCell({ source: { name, writeKey, formerWriteKey } }: { readonly source: Source }) {
  const copy = (): void =>
    void navigator.clipboard.writeText(writeKey).then(
      () => showToast(`The write key of ${name} is copied.`),
      () => showToast('The browser does not let this page copy: see the page of the source.', 'bad'),
    )
  // Of a short key its end would be most of it.
  const end = allows('write') && writeKey.length > 3 * shownMax ? writeKey.slice(-shownMax) : ''
  return (
    <span class="cell">
      <code>
        {maskedText}
        {end}
      </code>
      {allows('write') ? (
        <button type="button" class="ghost square small" aria-label={`Copy the write key of ${name}`} onClick={copy}>
          <Icon name="copy" />
        </button>
      ) : null}
      {formerWriteKey ? <Tag>and a former one</Tag> : null}
    </span>
  )
}
