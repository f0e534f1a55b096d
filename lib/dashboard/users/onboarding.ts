/** Accepts an invitation and sets a new password. The link is the proof; JSON and a form without script both work. */
import { z } from 'zod';
import {
  acceptInvitation,
  audit,
  completePasswordReset,
  createPasswordReset,
  findInvitationByToken,
  findPasswordResetUser,
  invitationState,
  passwordError,
  signIn,
} from '../../auth/index.ts';
import { now } from '../../db/clock.ts';
import type { ClientIp, HttpResult, Route } from '../../http/index.ts';
import { log } from '../../telemetry/index.ts';
import { errorResponse, isFormPost, jsonResponse, readBody, redirect } from '../guard.ts';
import { enrolPath, homePath, signInPath } from '../paths.ts';
import { clientInfo, continueTo, openRoute } from '../sign-in/routes.ts';
import { nameField, sendReset } from './users.ts';

const token = z.string().regex(/^[\w-]{43}$/);
const passwordField = z.string('Enter a password.').max(1000);
const acceptForm = z.object({ token, name: nameField, password: passwordField });
const forgottenForm = z.object({ email: z.email('Enter an email address such as name@example.com.').max(254) });
const resetForm = z.object({ token, password: passwordField });

type Handler<Form> = (request: Request, form: Form, clientIp: ClientIp) => Promise<HttpResult>;

/** A route that reads a form; `page` shows its errors. */
const formRoute = <Form>(path: string, form: z.ZodType<Form>, page: string | null, handle: Handler<Form>) =>
  openRoute(path, async (request, _params, clientIp) => {
    const parsed = form.safeParse(await readBody(request));
    if (parsed.success) return handle(request, parsed.data, clientIp);
    const fields = parsed.error.issues.map(({ path: name, message }) => [name.join('.'), message]);
    return failForm(request, Object.fromEntries(fields), page);
  });

const handleInvitation: Handler<z.infer<typeof acceptForm>> = async (request, { token, name, password }, clientIp) => {
  const page = `${homePath}/invitation/${token}`;
  const at = now();
  const invitation = await findInvitationByToken(token);
  if (!invitation || invitationState(invitation, at) !== 'open') return failForm(request, {}, page);
  const error = passwordError(password, invitation.email);
  if (error) return failForm(request, { password: error }, page);
  const id = await acceptInvitation(token, { name, password }, at);
  if (id === null) return failForm(request, {}, page);
  await audit({ actor: `user:${id}`, action: 'invitation.accept', subject: `user:${id}` }, at);
  const done = await signIn({ email: invitation.email, password }, clientInfo(request, clientIp), at);
  const next = done.kind === 'done' && done.enrol ? enrolPath : done.kind === 'done' ? homePath : signInPath;
  return continueTo(request, next, done.kind === 'done' ? done.setCookie : []);
};

// The answer and its timing do not reveal whether the account exists: the email is sent afterwards.
const handleForgottenPassword: Handler<z.infer<typeof forgottenForm>> = async (request, { email }) => {
  sendLink(email, now()).catch((err) => log.error({ err }, 'password reset email was not sent'));
  return isFormPost(request) ? redirect(`${signInPath}/forgotten?sent=1`) : jsonResponse(200, {});
};

async function sendLink(email: string, at: Date): Promise<void> {
  const reset = await createPasswordReset(email, at);
  if (!reset) return;
  await audit({ actor: 'nobody', action: 'password.forgotten', subject: `user:${reset.userId}` }, at);
  await sendReset(reset, at);
}

const handlePasswordReset: Handler<z.infer<typeof resetForm>> = async (request, { token, password }) => {
  const page = `${signInPath}/new-password/${token}`;
  const at = now();
  const person = await findPasswordResetUser(token, at);
  if (!person) return failForm(request, {}, page);
  const error = passwordError(password, person.email);
  if (error) return failForm(request, { password: error }, page);
  await audit({ actor: `user:${person.id}`, action: 'password.reset', subject: `user:${person.id}` }, at);
  if (!(await completePasswordReset(token, password, at))) return failForm(request, {}, page);
  return continueTo(request, `${signInPath}?fresh=1`);
};

// Without script the page is rendered again with the error at its field; the page of an expired link shows that itself.
function failForm(request: Request, fields: Record<string, string>, page: string | null): HttpResult {
  const [[field, text] = ['', 'This link has expired.']] = Object.entries(fields);
  if (!isFormPost(request)) return field === '' ? errorResponse(410, text) : errorResponse(400, text, { fields });
  return redirect(page === null ? signInPath : `${page}?${new URLSearchParams({ fault: field })}`);
}

/** Onboarding by a link. */
export const onboardingRoutes: Route[] = [
  formRoute('/invitation', acceptForm, null, handleInvitation),
  formRoute('/password/forgotten', forgottenForm, `${signInPath}/forgotten`, handleForgottenPassword),
  formRoute('/password/reset', resetForm, null, handlePasswordReset),
];
