import type { Words } from "./words";

/** Words of Projects, members, people, one's own account and the audit log. */
export const teamWords = {
  "team.failed": ["This could not be loaded", "无法加载"],
  "team.saved": ["Saved.", "已保存。"],
  "team.you": ["you", "您"],
  "team.read_only": ["Only owners of this Project can change this.", "只有项目所有者可以更改。"],

  "settings.title": ["Project settings", "项目设置"],
  "settings.general": ["General", "常规"],
  "settings.rename": ["Rename", "重命名"],
  "settings.new_sessions": ["New conversations", "新会话"],
  "settings.new_sessions_lead": [
    "What a conversation of this Project begins with. Each one can be changed afterwards; those that exist stay as they are.",
    "此项目中新会话的初始设置。每个会话之后仍可更改；已有会话不受影响。",
  ],
  "settings.visibility": ["Who sees them", "可见范围"],
  "settings.visibility_team": ["Everybody in the Project", "项目全体成员"],
  "settings.visibility_team_detail": ["All members read along and can work in it", "所有成员都能查看并参与"],
  "settings.visibility_private": ["Only whoever started it", "仅发起人"],
  "settings.visibility_private_detail": ["Until that person shares it with the Project", "直到发起人将其共享给项目"],
  "settings.approval": ["Approval mode", "审批模式"],
  "settings.approval_warn": [
    "Nothing will ask: every command of a new conversation runs at once, for everybody in this Project.",
    "不会询问：此项目所有人的新会话中，每条命令都会立即执行。",
  ],
  "settings.allowed": ["Allowed by an admin", "管理员许可"],
  "settings.allowed_lead": [
    "What this Project may use of the server. Only admins change it.",
    "此项目可以使用的服务器资源。仅管理员可更改。",
  ],
  "settings.env_keys": ["API keys from the server's environment", "服务器环境中的 API 密钥"],
  "settings.env_keys_detail": [
    "Models without a key of their own use the server's, at the provider's own address only.",
    "没有自己密钥的模型可使用服务器的密钥，且仅限服务商自己的地址。",
  ],
  "settings.private_addresses": ["Model addresses on private networks", "私有网络中的模型地址"],
  "settings.private_addresses_detail": [
    "Everybody who owns this Project may then reach hosts of the server's network through model addresses.",
    "此项目的所有者将能通过模型地址访问服务器所在网络的主机。",
  ],
  "settings.roots": ["Folders for Workspaces", "工作区文件夹"],
  "settings.roots_detail": [
    "Beside the server's own. One absolute path on each line.",
    "除服务器默认文件夹之外。每行一个绝对路径。",
  ],
  "settings.roots_bad": ["Each line is an absolute path that begins with /.", "每行都须是以 / 开头的绝对路径。"],
  "settings.roots_none": ["None beside the server's own", "除服务器默认文件夹外没有其他文件夹"],
  "settings.yes": ["Allowed", "已允许"],
  "settings.no": ["Not allowed", "未允许"],
  "settings.delete": ["Delete this Project", "删除此项目"],
  "settings.delete_lead": [
    "Everything in it goes with it, for everybody. It cannot be undone.",
    "项目中的所有内容都会对所有人一并删除，且无法撤销。",
  ],
  "settings.delete_default": ["The first Project of a server stays.", "服务器的第一个项目不可删除。"],
  "settings.delete_action": ["Delete Project", "删除项目"],
  "settings.delete_title": ["Delete the Project “{name}”?", "删除项目“{name}”？"],
  "settings.delete_what": ["This is lost for good:", "以下内容将永久丢失："],
  "settings.delete_agents": [
    "{count} Agent with its instructions, skills, memory and vault|{count} Agents with their instructions, skills, memory and vaults",
    "{count} 个智能体及其指令、技能、记忆和保险库",
  ],
  "settings.delete_sessions": [
    "{count} conversation with its Trace and files, private ones included|{count} conversations with their Traces and files, private ones included",
    "{count} 个会话及其轨迹和文件（包括私密会话）",
  ],
  "settings.delete_running": [
    "{count} conversation works at this moment and is stopped|{count} conversations work at this moment and are stopped",
    "{count} 个正在运行的会话将被停止",
  ],
  "settings.delete_models": [
    "its models with their API keys, its usage figures and its audit log",
    "其模型与 API 密钥、用量数据和审计日志",
  ],
  "settings.delete_members": [
    "{count} person loses access at once|{count} people lose access at once",
    "{count} 人将立即失去访问权限",
  ],
  "settings.delete_stays": [
    "Folders elsewhere on the server in which conversations worked stay.",
    "会话使用过的服务器其他文件夹会保留。",
  ],
  "settings.delete_type": ["Type {id} to confirm", "输入 {id} 以确认"],
  "settings.deleted": ["The Project was deleted.", "项目已删除。"],

  "people.title": ["People", "成员"],
  "people.members": ["Members", "项目成员"],
  "people.members_lead": [
    "Who belongs to this Project. Owners manage it, members work in it, viewers read along.",
    "此项目的成员。所有者管理项目，成员参与工作，只读成员可以查看。",
  ],
  "people.add": ["Add member", "添加成员"],
  "people.add_title": ["Add a member", "添加成员"],
  "people.user": ["User name", "用户名"],
  "people.user_hint": [
    "The name with which this person signs in. An admin creates people.",
    "此人登录时使用的用户名。人员由管理员创建。",
  ],
  "people.user_hint_admin": [
    "The name with which this person signs in. Who has none yet is created under",
    "此人登录时使用的用户名。如果还没有，请先在此创建：",
  ],
  "people.role": ["Role", "角色"],
  "people.role_of": ["Role of {name}", "{name} 的角色"],
  "role.owner.detail": ["Manages members, models and settings, and works", "管理成员、模型和设置，并参与工作"],
  "role.member.detail": ["Starts conversations, answers approvals, imports", "发起会话、处理审批、导入"],
  "role.viewer.detail": ["Reads everything, starts and decides nothing", "只能查看，不能发起或决定"],
  "people.by_group": ["by group", "来自组"],
  "people.by_group_detail": [
    "The role comes from a group of the sign-in provider: as long as the group is there, it is given again at the next sign-in.",
    "此角色来自登录服务的组：只要仍在该组中，下次登录时会再次获得。",
  ],
  "people.remove": ["Remove {name}", "移除 {name}"],
  "people.remove_title": ["Remove {name} from this Project?", "将 {name} 移出此项目？"],
  "people.remove_body": [
    "This person loses access at once, also in windows that are open. Their conversations stay; private ones stay theirs and nobody else sees them.",
    "此人会立即失去访问权限，包括已打开的窗口。其会话会保留；私密会话仍仅归本人，其他人看不到。",
  ],
  "people.leave_title": ["Leave this Project?", "退出此项目？"],
  "people.leave_body": [
    "You lose access at once. Another owner can add you again.",
    "您会立即失去访问权限。其他所有者可以再次添加您。",
  ],
  "people.leave": ["Leave", "退出"],
  "people.removed": ["{name} was removed.", "已移除 {name}。"],
  "people.added": ["{name} was added.", "已添加 {name}。"],
  "people.role_changed": ["{name} is now {role}.", "{name} 现在是{role}。"],
  "people.alone": [
    "You are alone here. Add the people you work with: they see this Project's conversations from then on.",
    "这里只有您。添加与您共事的人，他们随后便能看到此项目的会话。",
  ],

  "people.disabled": ["Disabled", "已停用"],
  "people.tabs": ["Which people", "人员范围"],
  "people.everybody": ["Everybody", "所有人"],
} as const satisfies Words;
