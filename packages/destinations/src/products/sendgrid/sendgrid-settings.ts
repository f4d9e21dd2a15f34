import { type Static, Type } from 'typebox'
import { type FieldWords, field } from '../../kit/index.ts'

const contacts = 'Contacts'
const mail = 'Mail'
const footer = 'Footer'
const tracking = 'Tracking'

const member = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))

const { flag, textOrNull: text } = field

const listOf = <const Name extends string>(members: Readonly<Record<Name, string>>, words: FieldWords) => {
  const named = Object.fromEntries(Object.entries<string>(members).map(([name, about]) => [name, member(about)]))
  const element = Type.Object(named as Record<Name, ReturnType<typeof member>>)
  return field.list(element, {
    allowed: `a list of objects with ${Object.keys(members).join(', ')}`,
    ...words,
  })
}

/** The settings of the SendGrid destination. Source: RudderStack docs, SendGrid destination. */
export const sendgridSettings = Type.Object({
  apiKey: field.requiredText({
    title: 'API key',
    description: 'API key of the SendGrid account.',
    allowed: 'an API key',
  }),
  subject: text({ title: 'Subject', description: 'Subject of mails.', group: mail }),
  listId: text({ title: 'List id', description: 'Id of the list that contacts are added to.', group: contacts }),
  customFieldsMapping: listOf(
    { from: 'Name of a trait.', to: 'Name of a custom field.' },
    { title: 'Custom fields', description: 'Traits and their custom fields.', group: contacts },
  ),
  templateId: text({ title: 'Template id', description: 'Id of the template of mails.', group: mail }),
  mailFromTraits: flag({
    title: 'Receiver from traits',
    description: 'Reads the email of the receiver from the traits.',
    group: mail,
  }),
  replyToEmail: text({ title: 'Reply-to email', description: 'Email for replies.', group: mail }),
  replyToName: text({ title: 'Reply-to name', description: 'Name for replies.', group: mail }),
  IPPoolName: text({ title: 'IP pool', description: 'Pool of IP addresses that mails are sent from.', group: mail }),
  fromEmail: text({ title: 'Sender email', description: 'Email of the sender.', group: mail }),
  fromName: text({ title: 'Sender name', description: 'Name of the sender.', group: mail }),
  eventNamesSettings: listOf(
    { event: 'Name of a track event.' },
    { title: 'Events', description: 'Track events that send a mail.', group: mail },
  ),
  contents: listOf(
    { type: 'Media type of the part.', value: 'Text of the part.' },
    { title: 'Contents', description: 'Contents of mails.', group: mail },
  ),
  attachments: listOf(
    {
      content: 'The file in Base64.',
      contentId: 'Id of the file, for references in the mail.',
      disposition: 'Whether the file is shown inline or attached.',
      filename: 'Name of the file.',
      type: 'Media type of the file.',
    },
    { title: 'Attachments', description: 'Files that are attached to mails.', group: mail },
  ),
  group: text({
    title: 'Unsubscribe group',
    description: 'Id of the group that receivers can unsubscribe from.',
    group: mail,
  }),
  groupsToDisplay: listOf(
    { groupId: 'Id of a group.' },
    { title: 'Groups to display', description: 'Groups that are shown to receivers.', group: mail },
  ),
  bypassListManagement: field.flag({
    title: 'Bypass list management',
    description: 'Sends mails also to people who have unsubscribed. For mails that must arrive, such as receipts.',
    group: mail,
    isUnlisted: true,
  }),
  footer: flag({ title: 'Footer', description: 'Adds a footer to mails.', group: footer }),
  footerText: text({ title: 'Text of the footer', description: 'Footer as text.', group: footer }),
  footerHtml: text({ title: 'HTML of the footer', description: 'Footer as HTML.', group: footer }),
  sandboxMode: flag({
    title: 'Sandbox mode',
    description: 'Makes SendGrid validate mails without sending them.',
    group: mail,
  }),
  clickTracking: flag({ title: 'Track clicks', description: 'Tracks clicks on links.', group: tracking }),
  clickTrackingEnableText: flag({
    title: 'Track clicks in text',
    description: 'Also tracks clicks in plain-text mails.',
    group: tracking,
  }),
  openTracking: flag({ title: 'Track opens', description: 'Tracks opened mails.', group: tracking }),
  openTrackingSubstitutionTag: text({
    title: 'Tag for opens',
    description: 'Text that is replaced by the tracking pixel.',
    group: tracking,
  }),
  subscriptionTracking: flag({
    title: 'Unsubscribe link',
    description: 'Adds an unsubscribe link to mails.',
    group: tracking,
  }),
  text: text({ title: 'Text of the link', description: 'Text around the unsubscribe link.', group: tracking }),
  html: text({ title: 'HTML of the link', description: 'HTML around the unsubscribe link.', group: tracking }),
  substitutionTag: text({
    title: 'Tag for the link',
    description: 'Text that is replaced by the unsubscribe link.',
    group: tracking,
  }),
  ganalytics: flag({
    title: 'Google Analytics',
    description: 'Adds Google Analytics parameters to links.',
    group: tracking,
  }),
  utmSource: text({ title: 'utm_source', description: 'Parameter utm_source of links.', group: tracking }),
  utmMedium: text({ title: 'utm_medium', description: 'Parameter utm_medium of links.', group: tracking }),
  utmTerm: text({ title: 'utm_term', description: 'Parameter utm_term of links.', group: tracking }),
  utmContent: text({ title: 'utm_content', description: 'Parameter utm_content of links.', group: tracking }),
  utmCampaign: text({ title: 'utm_campaign', description: 'Parameter utm_campaign of links.', group: tracking }),
})

export type SendgridSettings = Static<typeof sendgridSettings>
