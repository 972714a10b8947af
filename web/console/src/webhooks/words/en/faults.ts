/** What came of an attempt, and what to do about it. */
export const faults = {
  status: {
    what: 'It answered with an error.',
    fix: 'Only a status from 200 to 299 acknowledges a delivery. Look at what it answered, and at the log of your server.',
  },
  redirect: {
    what: 'It answered with a redirect.',
    fix: 'Redirects are not followed. Register the address that the redirect leads to.',
  },
  gone: {
    what: 'It answered 410: it wants no more deliveries.',
    fix: 'The webhook is suspended until you resume it. Answer another status for a passing fault.',
  },
  deadline: {
    what: 'It did not answer within 10 seconds.',
    fix: 'Answer first, and do the work afterwards. The 10 seconds include the name and the certificate.',
  },
  name_not_resolved: {
    what: 'The name of its host is not known.',
    fix: 'Check the spelling. A new name may need some hours until every name server knows it.',
  },
  connection_failed: {
    what: 'No connection was made, or it was cut.',
    fix: 'Check that the server runs, and that a firewall lets this service in on that port.',
  },
  tls_failed: {
    what: 'The certificate was not accepted.',
    fix: 'It may have ended, be for another name, or lack the intermediate certificate. Send the whole chain.',
  },
  malformed_answer: {
    what: 'Its answer is not valid HTTP.',
    fix: 'Check that the port speaks HTTPS, and what stands between it and your server.',
  },
  invalid_url: { what: 'This is not an address.', fix: 'Begin with https:// and the name of the host.' },
  not_https: {
    what: 'The address is not https.',
    fix: 'Deliveries go to https only: they are about patients.',
  },
  credentials_in_url: {
    what: 'The address has a name or a password in it.',
    fix: 'Take it out. Deliveries are signed; verify the signature instead.',
  },
  host_not_public: {
    what: 'The host is not on the public internet.',
    fix: 'Use the name that the internet knows your server by.',
  },
  address_not_public: {
    what: 'The name leads to a private address.',
    fix: 'Use an address on the public internet. For tests on your own machine, start “chartgate listen”.',
  },
};

export type FaultWords = typeof faults;
