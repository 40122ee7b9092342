import type { Words } from "./words";

/** Words of the frame around every page of a Project that also stand elsewhere: a new Project, budgets in a banner, the menu of a person. */
export const frameWords = {
  "account.title": ["Your account", "您的账户"],
  "usage.own": ["Your usage", "我的用量"],
  "budget.see": ["See usage", "查看用量"],
  "budget.ask": ["Ask {names} for more.", "如需更多，请联系 {names}。"],
  "budget.scope_project": ["Whole Project", "整个项目"],
  "budget.per_day": ["{who}, per day", "{who}，每天"],
  "budget.per_month": ["{who}, per month", "{who}，每月"],
  "budget.banner_warning": [
    "{share} of the budget “{name}” is spent: {spent} of {limit}.",
    "预算“{name}”已使用 {share}：{spent} / {limit}。",
  ],
  "budget.banner_hard": [
    "The budget “{name}” is used up: {spent} of {limit}. New Requests are refused until {time}.",
    "预算“{name}”已用完：{spent} / {limit}。在 {time} 之前将拒绝新请求。",
  ],
  "budget.banner_soft": [
    "The budget “{name}” is used up: {spent} of {limit}. Requests still run.",
    "预算“{name}”已用完：{spent} / {limit}。请求仍可运行。",
  ],
  "nav.people": ["People", "成员"],
  "nav.settings": ["Settings", "设置"],
  "nav.new_agent": ["New Agent", "新建智能体"],
  "agent.create": ["Create Agent", "创建智能体"],
  "agent.create_lead": [
    "It has conversations, instructions, skills and memory of its own, and works with the models of this Project.",
    "它拥有自己的会话、指令、技能和记忆，并使用此项目的模型。",
  ],
  "nav.new_project": ["New Project", "新建项目"],
  "nav.project_settings": ["Project settings", "项目设置"],
  "project.create_title": ["New Project", "新建项目"],
  "project.create_lead": [
    "A Project has Agents, conversations, models and members of its own. You become its owner.",
    "项目拥有自己的智能体、会话、模型和成员。您将成为所有者。",
  ],
  "project.id_taken": ["This id is taken. Choose another one.", "该标识已被使用，请换一个。"],
  "project.id_bad": [
    "Lower-case letters, digits and underscores, starting with a letter; 2 to 64 characters.",
    "小写字母、数字和下划线，以字母开头，2 到 64 个字符。",
  ],
  "project.name": ["Name", "名称"],
  "project.id": ["Id", "标识"],
  "project.id_hint": [
    "Names the folder on the server and stands in addresses. It cannot be changed later.",
    "用作服务器上的文件夹名，并出现在网址中。之后无法更改。",
  ],
  "project.create": ["Create Project", "创建项目"],
  "access.lost": ["You no longer have access to this Project", "您已无法访问此项目"],
  "access.go_on": ["Go to your Projects", "前往您的项目"],
  "access.lost_body": [
    "An owner removed you, or the Project was deleted. What you had open was closed.",
    "所有者已将您移除，或项目已被删除。已打开的内容已关闭。",
  ],
  "chat.also_here": ["Also here: {names}", "也在这里：{names}"],
} as const satisfies Words;
