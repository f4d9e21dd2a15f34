import { Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))

const flag = (description: string) => Type.Boolean({ default: false, description })

const listOf = (members: Record<string, ReturnType<typeof text>>, description: string) =>
  Type.Optional(
    Type.Array(Type.Object(members), {
      description,
      allowed: `a list of objects with ${Object.keys(members).join(', ')}`,
    }),
  )

/** The settings of the SendGrid destination. Source: RudderStack docs, SendGrid destination. */
export const sendgridSettings = Type.Object({
  apiKey: text('API key of the SendGrid account.'),
  subject: text('Subject of mails.'),
  listId: text('Id of the list that contacts are added to.'),
  customFieldsMapping: listOf(
    { from: text('Name of a trait.'), to: text('Name of a custom field.') },
    'Traits and their custom fields.',
  ),
  templateId: text('Id of the template of mails.'),
  mailFromTraits: flag('Reads the email of the receiver from the traits.'),
  replyToEmail: text('Email for replies.'),
  replyToName: text('Name for replies.'),
  IPPoolName: text('Pool of IP addresses that mails are sent from.'),
  fromEmail: text('Email of the sender.'),
  fromName: text('Name of the sender.'),
  eventNamesSettings: listOf({ event: text('Name of a track event.') }, 'Track events that send a mail.'),
  contents: listOf({ type: text('Media type of the part.'), value: text('Text of the part.') }, 'Contents of mails.'),
  attachments: listOf(
    {
      content: text('The file in Base64.'),
      contentId: text('Id of the file, for references in the mail.'),
      disposition: text('Whether the file is shown inline or attached.'),
      filename: text('Name of the file.'),
      type: text('Media type of the file.'),
    },
    'Files that are attached to mails.',
  ),
  group: text('Id of the group that receivers can unsubscribe from.'),
  groupsToDisplay: listOf({ groupId: text('Id of a group.') }, 'Groups that are shown to receivers.'),
  footer: flag('Adds a footer to mails.'),
  footerText: text('Footer as text.'),
  footerHtml: text('Footer as HTML.'),
  sandboxMode: flag('Makes SendGrid validate mails without sending them.'),
  clickTracking: flag('Tracks clicks on links.'),
  clickTrackingEnableText: flag('Also tracks clicks in plain-text mails.'),
  openTracking: flag('Tracks opened mails.'),
  openTrackingSubstitutionTag: text('Text that is replaced by the tracking pixel.'),
  subscriptionTracking: flag('Adds an unsubscribe link to mails.'),
  text: text('Text around the unsubscribe link.'),
  html: text('HTML around the unsubscribe link.'),
  substitutionTag: text('Text that is replaced by the unsubscribe link.'),
  ganalytics: flag('Adds Google Analytics parameters to links.'),
  utmSource: text('Parameter utm_source of links.'),
  utmMedium: text('Parameter utm_medium of links.'),
  utmTerm: text('Parameter utm_term of links.'),
  utmContent: text('Parameter utm_content of links.'),
  utmCampaign: text('Parameter utm_campaign of links.'),
})
